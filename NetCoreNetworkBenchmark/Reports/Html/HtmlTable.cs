using NetCoreNetworkBenchmark.Reports.Markdown;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>Writes the tables of the Markdown pages, whose headers sort if there is a script.</summary>
internal static class HtmlTable
{
    private const string NameOfRows = "Library";

    /// <summary>Writes a table in a box of its own, which scrolls if the window is narrow.</summary>
    public static void Write(HtmlWriter html, string caption, TextTable table)
    {
        int names = Math.Max(0, Array.IndexOf(table.Header, NameOfRows));
        using HtmlWriter.Scope box = html.Begin("div", ("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", $"Table: {caption}"));
        using HtmlWriter.Scope whole = html.Begin("table");
        html.Element("caption", caption);
        using (html.Begin("thead"))
        {
            using HtmlWriter.Scope row = html.Begin("tr");
            foreach ((int column, string title) in table.Header.Index())
            {
                html.Element("th", title, ("scope", "col"), ("class", ClassOf(column, table)));
            }
        }

        using HtmlWriter.Scope body = html.Begin("tbody");
        foreach (string[] cells in table.Rows)
        {
            using HtmlWriter.Scope row = html.Begin("tr");
            foreach ((int column, string cell) in cells.Index())
            {
                bool isName = column == names;
                html.Element(isName ? "th" : "td", cell, ("scope", isName ? "row" : null), ("class", ClassOf(column, table)));
            }
        }
    }

    private static string? ClassOf(int column, TextTable table) => column < table.TextColumns ? null : "n";
}
