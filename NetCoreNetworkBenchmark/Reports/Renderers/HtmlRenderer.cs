using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>Writes a report as a page for a browser: one file that requests nothing.</summary>
internal sealed class HtmlRenderer(TextWriter writer)
{
    // Nothing can be loaded, and nothing sent, even if a text of a result were taken for an element.
    private const string Policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

    private const string NameOfRows = "Library";

    private readonly HtmlWriter _html = new(writer);

    public void Write(Document document)
    {
        _html.Raw("<!DOCTYPE html>");
        _html.Line();
        using HtmlWriter.Scope page = _html.Begin("html", ("lang", "en"));
        WriteHead(document.Title);
        using HtmlWriter.Scope body = _html.Begin("body");
        using (_html.Begin("main"))
        {
            WriteText("h1", document.Title, null);
            Section[] linked = [.. document.All<Section>().Where(section => section.Id is not null)];
            int begin = document.HasLead ? document.Blocks.TakeWhile(block => block is not Section { IsLead: true }).Count() + 1 : 0;
            Write(document.Blocks.Take(begin), 2);
            WriteLinks(linked);
            Write(document.Blocks.Skip(begin), 2);
        }

        WriteText("footer", $"NetCoreNetworkBenchmark {document.Version}", null);
        using HtmlWriter.Scope script = _html.Begin("script");
        _html.Raw(PageScript.Text.ReplaceLineEndings("\n"));
    }

    private void WriteHead(string title)
    {
        using HtmlWriter.Scope head = _html.Begin("head");
        _html.Empty("meta", ("charset", "utf-8"));
        _html.Empty("meta", ("http-equiv", "Content-Security-Policy"), ("content", Policy));
        _html.Empty("meta", ("name", "viewport"), ("content", "width=device-width, initial-scale=1"));
        WriteText("title", title, null);
        using HtmlWriter.Scope style = _html.Begin("style");
        _html.Raw(PageStyle.Text.ReplaceLineEndings("\n"));
    }

    private void WriteLinks(Section[] sections)
    {
        if (sections.Length < 2)
        {
            return;
        }

        using HtmlWriter.Scope details = _html.Begin("details");
        _html.Element("summary", "Contents");
        using HtmlWriter.Scope navigation = _html.Begin("nav", ("aria-label", "Contents"));
        using HtmlWriter.Scope list = _html.Begin("ul");
        foreach (Section section in sections)
        {
            using HtmlWriter.Scope item = _html.Begin("li");
            _html.Element("a", section.Title, ("href", $"#{section.Id}"));
        }
    }

    // Plots that follow each other are in a row if the window is wide.
    private void Write(IEnumerable<Block> all, int level)
    {
        Block[] blocks = [.. all.Where(block => block.IsIn(Media.Html))];
        for (int index = 0; index < blocks.Length; index++)
        {
            if (blocks[index] is not Plot)
            {
                Write(blocks[index], level);
                continue;
            }

            using HtmlWriter.Scope plots = _html.Begin("div", ("class", "plots"));
            Write((Plot)blocks[index]);
            while (index + 1 < blocks.Length && blocks[index + 1] is Plot next)
            {
                Write(next);
                index++;
            }
        }
    }

    private void Write(Block block, int level)
    {
        switch (block)
        {
            case Section { IsLead: true } lead:
                Write(lead.Blocks, level);
                break;
            case Section section:
                Write(section, level);
                break;
            case Paragraph paragraph:
                using (_html.Begin("p", ("class", StyleOf(paragraph.Tone))))
                {
                    Write(paragraph.Text);
                }

                break;
            case BulletList list:
                Write(list);
                break;
            case CodeBlock code:
                WriteText("pre", code.Text, "figures");
                break;
            case Facts facts:
                Write(facts);
                break;
            case Table table:
                Write(table);
                break;
            default:
                throw new ArgumentException($"{block.GetType().Name} is not a known block.", nameof(block));
        }
    }

    private void Write(Section section, int level)
    {
        using HtmlWriter.Scope scope = _html.Begin(section.IsFolded ? "details" : "section", ("id", section.Id));
        if (!section.IsFolded)
        {
            WriteText(FormattableString.Invariant($"h{Math.Min(level, 6)}"), section.Title, null);
        }
        else
        {
            using HtmlWriter.Scope summary = _html.Begin("summary");
            _html.Element("strong", section.Title);
            _html.Text(section.Note ?? string.Empty);
        }

        Write(section.Blocks, level + 1);
    }

    private void Write(BulletList list)
    {
        using HtmlWriter.Scope scope = _html.Begin("ul");
        foreach (Inline[] item in list.Items)
        {
            using HtmlWriter.Scope entry = _html.Begin("li");
            Write(item);
        }
    }

    private void Write(Facts facts)
    {
        using HtmlWriter.Scope list = _html.Begin("dl", ("class", facts.Style == FactStyle.Headline ? "headline" : "facts"));
        foreach ((string name, string? value) in facts.Items)
        {
            using HtmlWriter.Scope fact = _html.Begin("div");
            _html.Element("dt", name);
            _html.Element("dd", value!);
        }
    }

    // The box scrolls if the window is narrow.
    private void Write(Table table)
    {
        int names = Math.Max(0, table.Columns.TakeWhile(column => column.Title != NameOfRows).Count() % table.Columns.Count);
        using HtmlWriter.Scope box = _html.Begin(
            "div", ("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", $"Table: {table.Caption}"));
        using HtmlWriter.Scope whole = _html.Begin("table");
        _html.Element("caption", table.Caption);
        using (_html.Begin("thead"))
        {
            using HtmlWriter.Scope row = _html.Begin("tr");
            foreach (TableColumn column in table.Columns)
            {
                _html.Element("th", column.Title, ("scope", "col"), ("class", column.IsText ? null : "n"));
            }
        }

        using HtmlWriter.Scope body = _html.Begin("tbody");
        foreach (TableRow row in table.Rows)
        {
            using HtmlWriter.Scope line = _html.Begin("tr");
            foreach ((int column, TableCell cell) in row.Cells.Index())
            {
                bool isName = column == names;
                _html.Element(isName ? "th" : "td", cell.Text, ("scope", isName ? "row" : null), ("class", table.Columns[column].IsText ? null : "n"));
            }
        }
    }

    private void Write(Plot plot)
    {
        using HtmlWriter.Scope figure = _html.Begin("figure");
        using (_html.Begin("figcaption"))
        {
            _html.Element("strong", plot.Title);
            _html.Text(plot.Note is null ? string.Empty : $" {plot.Note}");
        }

        new SvgPlot(plot).Write(_html);
    }

    private void Write(Inline[] text)
    {
        foreach ((string part, Mark mark) in text)
        {
            if (mark == Mark.None)
            {
                _html.Text(part);
            }
            else
            {
                _html.Element(mark == Mark.Strong ? "strong" : "code", part);
            }
        }
    }

    private void WriteText(string name, string text, string? style)
    {
        _html.Element(name, text, ("class", style));
        _html.Line();
    }

    private static string? StyleOf(Tone tone) => tone switch
    {
        Tone.Good => "good",
        Tone.Bad => "bad",
        Tone.Soft => "soft",
        _ => null,
    };
}
