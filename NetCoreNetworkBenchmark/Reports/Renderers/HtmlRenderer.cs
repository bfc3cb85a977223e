using System.Xml.Linq;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>Writes a report as a page for a browser: one file that requests nothing.</summary>
internal static class HtmlRenderer
{
    // Nothing can be loaded, and nothing sent, even if a text of a result were taken for an element.
    private const string Policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

    private const string NameOfRows = "Library";

    public static void Write(Document document, TextWriter writer)
    {
        int begin = document.HasLead ? document.Blocks.TakeWhile(block => block is not Section { IsLead: true }).Count() + 1 : 0;
        writer.WriteLine("<!DOCTYPE html>");
        Xml.Write(
            new XElement(
                "html",
                new XAttribute("lang", "en"),
                new XElement(
                    "head",
                    new XElement("meta", new XAttribute("charset", "utf-8")),
                    new XElement("meta", new XAttribute("http-equiv", "Content-Security-Policy"), new XAttribute("content", Policy)),
                    new XElement("meta", new XAttribute("name", "viewport"), new XAttribute("content", "width=device-width, initial-scale=1")),
                    Xml.Element("title", document.Title),
                    Xml.Embedded("style", "plots.css", "page.css")),
                new XElement(
                    "body",
                    new XElement(
                        "main",
                        Xml.Element("h1", document.Title),
                        ElementsOf(document.Blocks.Take(begin), 2),
                        LinksTo([.. document.All<Section>().Where(section => section.Id is not null)]),
                        ElementsOf(document.Blocks.Skip(begin), 2)),
                    Xml.Element("footer", $"NetCoreNetworkBenchmark {document.Version}"),
                    Xml.Embedded("script", "page.js"))),
            writer);
    }

    private static XElement? LinksTo(Section[] sections) => sections.Length < 2 ? null : new XElement(
        "details",
        new XElement("summary", "Contents"),
        new XElement(
            "nav",
            new XAttribute("aria-label", "Contents"),
            new XElement("ul", sections.Select(section =>
                new XElement("li", new XElement("a", new XAttribute("href", $"#{section.Id}"), Xml.Valid(section.Title)))))));

    // Plots that follow each other are in a row if the window is wide.
    private static IEnumerable<XElement> ElementsOf(IEnumerable<Block> all, int level)
    {
        IEnumerable<Block> blocks = all.Where(block => block.IsIn(Media.Html))
            .SelectMany<Block, Block>(block => block is LatePlots late ? late.Make() : [block]);
        var plots = new XElement("div", new XAttribute("class", "plots"));
        foreach (Block block in blocks)
        {
            if (block is Plot plot)
            {
                plots.Add(ElementOf(plot));
                continue;
            }

            if (plots.HasElements)
            {
                yield return plots;
                plots = new XElement("div", new XAttribute("class", "plots"));
            }

            foreach (XElement element in block is Section { IsLead: true } lead ? ElementsOf(lead.Blocks, level) : [ElementOf(block, level)])
            {
                yield return element;
            }
        }

        if (plots.HasElements)
        {
            yield return plots;
        }
    }

    private static XElement ElementOf(Block block, int level) => block switch
    {
        Section { IsFolded: true } section => new XElement(
            "details",
            Xml.Attribute("id", section.Id),
            new XElement("summary", Xml.Element("strong", section.Title), Xml.Valid(section.Note ?? string.Empty)),
            ElementsOf(section.Blocks, level)),
        Section section => new XElement(
            "section", Xml.Attribute("id", section.Id), Xml.Element($"h{Math.Min(level, 6)}", section.Title), ElementsOf(section.Blocks, level + 1)),
        Paragraph paragraph => new XElement("p", Xml.Attribute("class", StyleOf(paragraph.Tone)), NodesOf(paragraph.Text)),
        BulletList list => new XElement("ul", list.Items.Select(item => new XElement("li", NodesOf(item)))),
        CodeBlock code => Xml.Element("pre", code.Text, "figures"),
        Facts { Style: FactStyle.Figures } facts => Xml.Element("pre", string.Join('\n', facts.Items.Select(fact => $"{fact.Name}: {fact.Value}")), "figures"),
        Facts facts => new XElement(
            "dl",
            new XAttribute("class", facts.Style == FactStyle.Headline ? "headline" : "facts"),
            facts.Items.Select(fact => new XElement("div", Xml.Element("dt", fact.Name), Xml.Element("dd", fact.Value!)))),
        Table table => ElementOf(table),
        _ => throw new ArgumentException($"{block.GetType().Name} is not a known block.", nameof(block)),
    };

    // The box scrolls if the window is narrow.
    private static XElement ElementOf(Table table)
    {
        int names = Math.Max(0, table.Columns.TakeWhile(column => column.Title != NameOfRows).Count() % table.Columns.Count);
        XElement Cell(string name, string text, int column, string? scope) =>
            new(name, Xml.Attribute("scope", scope), Xml.Attribute("class", table.Columns[column].IsText ? "w" : null), Xml.Valid(text));
        return new XElement(
            "div",
            new XAttribute("class", "scroll"), new XAttribute("tabindex", "0"), new XAttribute("role", "region"),
            Xml.Attribute("aria-label", $"Table: {table.Caption}"),
            new XElement(
                "table",
                Xml.Element("caption", table.Caption),
                new XElement("thead", new XElement("tr", table.Columns.Select((column, index) => Cell("th", column.Title, index, "col")))),
                new XElement("tbody", table.Rows.Select(row => new XElement("tr", row.Cells.Select((cell, index) =>
                    index == names ? Cell("th", cell.Text, index, "row") : Cell("td", cell.Text, index, null)))))));
    }

    private static XElement ElementOf(Plot plot) => new(
        "figure",
        new XElement("figcaption", Xml.Element("strong", plot.Title), plot.Note is null ? null : $" {Xml.Valid(plot.Note)}"),
        new SvgPlot(plot).Draw(string.Empty));

    private static IEnumerable<object> NodesOf(Inline[] text) => text.Select(part => part.Mark switch
    {
        Mark.Strong => Xml.Element("strong", part.Text),
        Mark.Code => Xml.Element("code", part.Text),
        _ => (object)Xml.Valid(part.Text),
    });

    private static string? StyleOf(Tone tone) => tone switch
    {
        Tone.Good => "good",
        Tone.Bad => "bad",
        Tone.Soft => "soft",
        _ => null,
    };
}
