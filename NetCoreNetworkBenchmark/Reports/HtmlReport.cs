using System.Xml.Linq;
using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;
using NetCoreNetworkBenchmark.Reports.Renderers;
using static NetCoreNetworkBenchmark.Reports.Renderers.Xml;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>One file with plots and tables that requests nothing. The figures are those of the Markdown page, in the invariant culture.</summary>
public sealed class HtmlReport : IReport
{
    // Nothing can be loaded, and nothing sent, even if a text of a result were taken for an element.
    private const string Policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

    public string Name => "html";

    public bool IsOneDocument => true;

    public string? FileNameOf(Result result) => $"{ResultFile.FileNameOf(result.Kind)}.html";

    public void Write(Result result, TextWriter writer)
    {
        Document document = DocumentBuilder.Create(result);
        int begin = document.HasLead ? document.Blocks.TakeWhile(block => block is not Section { IsLead: true }).Count() + 1 : 0;
        writer.WriteLine("<!DOCTYPE html>");
        Xml.Write(
            Element(
                "html",
                ("lang", "en"),
                Element(
                    "head",
                    Element("meta", ("charset", "utf-8")),
                    Element("meta", ("http-equiv", "Content-Security-Policy"), ("content", Policy)),
                    Element("meta", ("name", "viewport"), ("content", "width=device-width, initial-scale=1")),
                    Element("title", document.Title),
                    Embedded("style", "plots.css", "page.css")),
                Element(
                    "body",
                    Element(
                        "main",
                        Element("h1", document.Title),
                        ElementsOf(document.Blocks.Take(begin), 2),
                        LinksTo([.. document.Linked]),
                        ElementsOf(document.Blocks.Skip(begin), 2)),
                    Element("footer", $"NetCoreNetworkBenchmark {document.Version}"),
                    Embedded("script", "page.js"))),
            writer);
    }

    private static XElement? LinksTo(Section[] sections) => sections.Length < 2 ? null : Element(
        "details",
        Element("summary", "Contents"),
        Element(
            "nav",
            ("aria-label", "Contents"),
            Element("ul", sections.Select(section => Element("li", Element("a", ("href", $"#{section.Id}"), section.Title))))));

    // Plots that follow each other are in a row if the window is wide.
    private static IEnumerable<XElement> ElementsOf(IEnumerable<Block> blocks, int level)
    {
        XElement? plots = null;
        foreach (Block block in blocks.Select(block => block is LatePlot late ? late.Make() : block).Where(block => block.IsIn(Media.Html)))
        {
            if (block is Plot plot)
            {
                if (plots is null)
                {
                    plots = Element("div", ("class", "plots"));
                    yield return plots;
                }

                plots.Add(ElementOf(plot));
                continue;
            }

            plots = null;
            foreach (XElement element in block is Section { IsLead: true } lead ? ElementsOf(lead.Blocks, level) : [ElementOf(block, level)])
            {
                yield return element;
            }
        }
    }

    private static XElement ElementOf(Block block, int level) => block switch
    {
        Section { IsFolded: true } section => Element(
            "details",
            ("id", section.Id),
            Element("summary", Element("strong", section.Title), section.Note ?? string.Empty),
            ElementsOf(section.Blocks, level)),
        Section section => Element(
            "section", ("id", section.Id), Element($"h{Math.Min(level, 6)}", section.Title), ElementsOf(section.Blocks, level + 1)),
        Paragraph paragraph => Element("p", [("class", StyleOf(paragraph.Tone)), .. NodesOf(paragraph.Text)]),
        BulletList list => Element("ul", list.Items.Select(item => Element("li", [.. NodesOf(item)]))),
        CodeBlock code => Element("pre", ("class", "figures"), code.Text),
        Facts { Style: FactStyle.Figures } facts => Element(
            "pre", ("class", "figures"), string.Join('\n', facts.Items.Select(fact => $"{fact.Name}: {fact.Value}"))),
        Facts facts => Element(
            "dl",
            ("class", facts.Style == FactStyle.Headline ? "headline" : "facts"),
            facts.Items.Select(fact => Element("div", Element("dt", fact.Name), Element("dd", fact.Value!)))),
        Table table => ElementOf(table),
        _ => throw new ArgumentException($"{block.GetType().Name} is not a known block.", nameof(block)),
    };

    // The box scrolls if the window is narrow.
    private static XElement ElementOf(Table table)
    {
        XElement Cell(string name, string text, int column, string? scope, double? sortValue = null) => Element(
            name, ("scope", scope), ("class", table.Columns[column].IsText ? "w" : null),
            ("data-value", sortValue?.ToString("G6", CultureInfo.InvariantCulture)), text);
        return Element(
            "div",
            ("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", $"Table: {table.Caption}"),
            Element(
                "table",
                Element("caption", table.Caption),
                Element("thead", Element("tr", table.Columns.Select((column, index) => Cell("th", column.Title, index, "col")))),
                Element("tbody", table.Rows.Select(row => Element("tr", row.Cells.Select((cell, index) =>
                    table.Columns[index].IsRowHeader ? Cell("th", cell.Text, index, "row") : Cell("td", cell.Text, index, null, cell.SortValue)))))));
    }

    private static XElement ElementOf(Plot plot) => Element(
        "figure",
        Element("figcaption", Element("strong", plot.Title), plot.Note is null ? null : $" {plot.Note}"),
        new SvgPlot(plot).Draw(string.Empty));

    private static IEnumerable<object> NodesOf(Inline[] text) => text.Select(part => part.Mark switch
    {
        Mark.Strong => Element("strong", part.Text),
        Mark.Code => Element("code", part.Text),
        _ => (object)part.Text,
    });

    private static string? StyleOf(Tone tone) => tone is Tone.Good or Tone.Bad or Tone.Soft ? tone.ToString().ToLowerInvariant() : null;
}
