// Makes the headers of tables buttons that sort. Without it, everything is there in the order of the page.
"use strict";
// The text of a figure has separators and units, such as 999 µs and 1.82 ms. A cell without a figure is below all others.
const figureOf = cell => Number(cell.dataset.value ?? -Infinity);
const compare = (one, other, isFigure) => isFigure
  ? Math.sign(figureOf(one) - figureOf(other)) || 0
  : one.textContent.localeCompare(other.textContent, "en", { numeric: true });
const sort = head => {
  const column = head.cellIndex;
  const body = head.closest("table").tBodies[0];
  const rows = Array.from(body.rows);
  const isFigure = rows.some(row => "value" in row.cells[column].dataset);
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
