using NetCoreNetworkBenchmark.Reports.Documents;
using Spectre.Console;
using Paragraph = NetCoreNetworkBenchmark.Reports.Documents.Paragraph;
using Table = NetCoreNetworkBenchmark.Reports.Documents.Table;
using TableRow = NetCoreNetworkBenchmark.Reports.Documents.TableRow;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>Draws the essence of a report for a person at a terminal, in its width.</summary>
internal sealed class TerminalRenderer(IAnsiConsole console)
{
    // With less width, there are no bars. More shows nothing more.
    private const int LeastBar = 6;
    private const int LeastText = 14;
    private const int LargestBar = 60;
    private const string BarStyle = "blue";

    private bool _hasBlock;

    private int Width => console.Profile.Width;

    public void Draw(Document document)
    {
        if (!document.HasLead)
        {
            Line(Styled($"{document.Title} (v {document.Version})", "bold"));
            _hasBlock = true;
        }

        Draw(document.ForConsole());
    }

    private void Draw(IEnumerable<Block> blocks)
    {
        foreach (Block block in blocks.Where(block => block.IsIn(Media.Console)))
        {
            if (_hasBlock)
            {
                console.WriteLine();
            }

            _hasBlock = true;
            Draw(block);
        }
    }

    private void Draw(Block block)
    {
        switch (block)
        {
            case Section { IsLead: true } section:
                _hasBlock = false;
                Draw(section.Blocks);
                break;
            case Section section:
                Line(Styled(section.Title, "bold"));
                _hasBlock = section.Blocks.First(inner => inner.IsIn(Media.Console)) is Section;
                Draw(section.Blocks);
                break;
            case Paragraph paragraph:
                Line(Styled(MarkupOf(paragraph.Text), StyleOf(paragraph.Tone), isMarkup: true));
                break;
            case BulletList list:
                foreach (Inline[] item in list.Items)
                {
                    Line($"• {MarkupOf(item)}");
                }

                break;
            case CodeBlock code:
                Line(Markup.Escape(code.Text));
                break;
            case Facts { Style: FactStyle.Headline } facts:
                DrawHeadline(facts);
                break;
            case Facts facts:
                DrawFacts(facts);
                break;
            case Table table:
                DrawTable(table);
                break;
            default:
                throw new ArgumentException($"{block.GetType().Name} is not a known block.", nameof(block));
        }
    }

    private void Line(string markup) => console.Write(new Markup($"{markup}\n"));

    // As many in a line as there is width for.
    private void DrawHeadline(Facts facts)
    {
        var lines = new List<List<Fact>>();
        int used = Width;
        foreach (Fact fact in facts.Items)
        {
            int length = fact.Name.Length + fact.Value!.Length + 4;
            if (used + length > Width)
            {
                lines.Add([]);
                used = 0;
            }

            lines[^1].Add(fact);
            used += length;
        }

        foreach (List<Fact> line in lines)
        {
            Line(string.Join("   ", line.Select(fact => $"[dim]{Markup.Escape(fact.Name)}[/] [bold]{Markup.Escape(fact.Value!)}[/]")));
        }
    }

    private void DrawFacts(Facts facts)
    {
        var grid = new Grid().AddColumn(new GridColumn { Padding = new Padding(0, 0, Table.Gap, 0) }).AddColumn(new GridColumn { Padding = default });
        foreach (Fact fact in facts.Items)
        {
            grid.AddRow($"[dim]{Markup.Escape(fact.Name)}[/]", Markup.Escape(fact.Value!));
        }

        console.Write(grid);
    }

    private void DrawTable(Table table)
    {
        if (table.HasTitle)
        {
            Line(Styled($"{table.Caption}:", "dim"));
        }

        Table shown = table.FitTo(Width);
        int[] widths = [.. shown.Columns.Select((_, column) => shown.WidthOf(column))];
        int bar = shown.Bars is null ? -Table.Gap : Math.Max(Table.GoodBar, shown.BarTitle.Length);

        // The first column is text that may be wrapped. Figures are not.
        int missing = Math.Max(0, bar + widths.Sum(width => width + Table.Gap) - Width);
        widths[0] = shown.Columns[0].IsText ? Math.Max(Math.Min(LeastText, widths[0]), widths[0] - missing) : widths[0];
        bar = shown.Bars is null ? 0 : Math.Min(LargestBar, Width - widths.Sum(width => width + Table.Gap));
        bar = bar < LeastBar ? 0 : bar;
        var drawn = new Spectre.Console.Table().Border(TableBorder.None);
        for (int column = 0; column <= shown.Columns.Count; column++)
        {
            if (column == shown.ColumnsBeforeBars && bar > 0)
            {
                AddColumn(drawn, shown.BarTitle, isText: true, bar);
            }

            if (column < shown.Columns.Count)
            {
                AddColumn(drawn, shown.Columns[column].Title, shown.Columns[column].IsText, widths[column], mayWrap: column == 0);
            }
        }

        foreach ((int index, TableRow row) in shown.Rows.Index())
        {
            string style = StyleOf(row.Tone);
            List<string> cells = [.. row.Cells.Select(cell => Styled(cell.Text, style))];
            if (bar > 0)
            {
                string text = Bars.Of(shown.Bars!, shown.Bars!.Rows[index], bar);
                cells.Insert(shown.ColumnsBeforeBars, Styled(text, style.Length == 0 ? BarStyle : style));
            }

            drawn.AddRow([.. cells]);
        }

        drawn.Columns[^1].Padding = default(Padding);
        console.Write(drawn);
    }

    private static void AddColumn(Spectre.Console.Table table, string title, bool isText, int width, bool mayWrap = false) =>
        table.AddColumn(new Spectre.Console.TableColumn($"[dim]{Markup.Escape(title)}[/]")
        {
            Padding = new Padding(0, 0, Table.Gap, 0),
            Alignment = isText ? Justify.Left : Justify.Right,
            NoWrap = !mayWrap,
            Width = width,
        });

    private static string MarkupOf(Inline[] text) => string.Concat(text.Select(part => Styled(part.Text, part.Mark == Mark.Strong ? "bold" : string.Empty)));

    private static string Styled(string text, string style, bool isMarkup = false)
    {
        string markup = isMarkup ? text : Markup.Escape(text);
        return style.Length == 0 || text.Length == 0 ? markup : $"[{style}]{markup}[/]";
    }

    private static string StyleOf(Tone tone) => tone switch
    {
        Tone.Good => "green",
        Tone.Bad => "red",
        Tone.Doubtful => "yellow",
        Tone.Soft => "dim",
        _ => string.Empty,
    };
}
