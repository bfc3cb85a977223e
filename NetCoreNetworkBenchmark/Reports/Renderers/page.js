// Makes the headers of tables buttons that sort. Without it, everything is there in the order of the page.
"use strict";
// A cell whose text does not begin with its value, such as 999 µs or 1.82 ms, has it as data. A cell without a figure is below all others.
const textOf = cell => cell.dataset.value ?? cell.textContent;
const figureOf = cell => {
  const figure = parseFloat(textOf(cell).replaceAll(",", ""));
  return Number.isNaN(figure) ? -Infinity : figure;
};
const compare = (one, other, isFigure) => isFigure
  ? Math.sign(figureOf(one) - figureOf(other)) || 0
  : one.textContent.localeCompare(other.textContent, "en", { numeric: true });
const sort = head => {
  const column = head.cellIndex;
  const body = head.closest("table").tBodies[0];
  const rows = Array.from(body.rows);
  const isFigure = rows.some(row => /^[-+]?\d/.test(textOf(row.cells[column])));
  const before = head.getAttribute("aria-sort");
  const order = before === "none" ? (isFigure ? "descending" : "ascending") : before === "ascending" ? "descending" : "ascending";
  for (const other of head.parentNode.cells) {
    other.setAttribute("aria-sort", other === head ? order : "none");
  }
  const sign = order === "ascending" ? 1 : -1;
  rows.sort((one, other) => sign * compare(one.cells[column], other.cells[column], isFigure));
  body.append(...rows);
};
for (const head of document.querySelectorAll("thead th")) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  button.addEventListener("click", () => sort(head));
  head.append(button);
  head.setAttribute("aria-sort", "none");
}
