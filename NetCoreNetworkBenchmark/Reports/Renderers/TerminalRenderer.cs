using NetCoreNetworkBenchmark.Reports.Documents;
using Spectre.Console;
using Paragraph = NetCoreNetworkBenchmark.Reports.Documents.Paragraph;
using Table = NetCoreNetworkBenchmark.Reports.Documents.Table;
using TableRow = NetCoreNetworkBenchmark.Reports.Documents.TableRow;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

internal sealed class TerminalRenderer(IAnsiConsole console)
{
    // With less width, there are no bars. More shows nothing more.
    private const int MinBar = 6;
    private const int MinTextWidth = 14;
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

        Draw(document.ForConsole);
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
                // The end stays in sight, so what a reader decides by is there.
                _hasBlock = false;
                Draw(section.Blocks.Reverse());
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
                Line(string.Join('\n', list.Items.Select(item => $"• {MarkupOf(item)}")));
                break;
            case CodeBlock code:
                Line(Markup.Escape(code.Text));
                break;
            case Facts { Style: FactStyle.Headline } facts:
                DrawHeadline(facts);
                break;
            case Facts facts:
                var grid = new Grid().AddColumn(new GridColumn { Padding = new Padding(0, 0, Table.Gap, 0) }).AddColumn(new GridColumn { Padding = default });
                console.Write(facts.Items.Aggregate(
                    grid, (rows, fact) => rows.AddRow($"[dim]{Markup.Escape(fact.Name)}[/]", Markup.Escape(fact.Value!))));
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
        (string line, int used) = (string.Empty, 0);
        foreach (Fact fact in facts.Items)
        {
            int length = fact.Name.Length + fact.Value!.Length + 4;
            string separator = used == 0 ? string.Empty : used + length > Width ? "\n" : "   ";
            line += $"{separator}[dim]{Markup.Escape(fact.Name)}[/] [bold]{Markup.Escape(fact.Value)}[/]";
            used = separator == "\n" ? length : used + length;
        }

        Line(line);
    }

    private void DrawTable(Table table)
    {
        if (table.HasTitle)
        {
            Line(Styled($"{table.Caption}:", "dim"));
        }

        foreach (Table part in table.WithMarks().FitTo(Width).PartsFor(Width, MinTextWidth))
        {
            DrawPart(part);
        }
    }

    private void DrawPart(Table shown)
    {
        int[] widths = [.. shown.Columns.Select((_, column) => shown.WidthOf(column))];
        int bar = shown.Bars is null ? -Table.Gap : Math.Max(Table.GoodBar, shown.BarTitle.Length);

        // The first column is text that may be wrapped. Figures are not.
        int missing = Math.Max(0, bar + widths.Sum(width => width + Table.Gap) - Width);
        widths[0] = shown.Columns[0].IsText ? Math.Max(Math.Min(MinTextWidth, widths[0]), widths[0] - missing) : widths[0];
        bar = Math.Min(LargestBar, Width - widths.Sum(width => width + Table.Gap));
        bool hasBars = shown.Bars is not null && bar >= MinBar;
        List<Spectre.Console.TableColumn> columns =
            [.. shown.Columns.Select((column, index) => ColumnOf(column.Title, column.IsText, widths[index], mayWrap: index == 0))];
        if (hasBars)
        {
            columns.Insert(shown.ColumnsBeforeBars, ColumnOf(shown.BarTitle, isText: true, bar, mayWrap: false));
        }

        columns[^1].Padding = default(Padding);
        Spectre.Console.Table drawn = new Spectre.Console.Table().Border(TableBorder.None).AddColumns([.. columns]);
        foreach ((int index, TableRow row) in shown.Rows.Index())
        {
            string style = StyleOf(row.Tone);
            List<string> cells = [.. row.Cells.Select(cell => Styled(cell.Text, cell.IsBest ? $"bold {style}".TrimEnd() : style))];
            if (hasBars)
            {
                cells.Insert(shown.ColumnsBeforeBars, Styled(Bars.Draw(shown.Bars!, shown.Bars!.Rows[index], bar), style.Length == 0 ? BarStyle : style));
            }

            drawn.AddRow([.. cells]);
        }

        console.Write(drawn);
    }

    private static Spectre.Console.TableColumn ColumnOf(string title, bool isText, int width, bool mayWrap) => new($"[dim]{Markup.Escape(title)}[/]")
    {
        Padding = new Padding(0, 0, Table.Gap, 0),
        Alignment = isText ? Justify.Left : Justify.Right,
        NoWrap = !mayWrap,
        Width = width,
    };

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

internal static class Bars
{
    private const char Full = '█';
    private const char Shaded = '▒';
    private const int StepsOfCell = 8;

    // Left parts of a cell, in eighths.
    private const string Parts = " ▏▎▍▌▋▊▉";

    public static string Draw(Plot plot, PlotRow row, int width)
    {
        double Place(double value) => plot.X.PlaceOf(value);
        return row switch
        {
            { Dot: { } dot, Interval: { } interval } => OfDot(Place(dot.Value), Place(interval.Lower), Place(interval.Upper), Place(plot.Origin), width),
            { Dot: { } dot } => OfDot(Place(dot.Value), null, null, Place(plot.Origin), width),
            { Interval: { } interval } => OfParts(Place(interval.Lower), Place(interval.Upper), 1, width),
            { Bars: [var first, var second] } => OfParts(Place(first.To), Place(second.To), 0, width),
            { Bars: [var only] } => Draw(Place(only.To), width),
            _ => string.Empty,
        };
    }

    public static string Draw(double share, int width)
    {
        int steps = (int)Math.Round(Clamped(share) * width * StepsOfCell);
        string part = steps % StepsOfCell == 0 ? string.Empty : $"{Parts[steps % StepsOfCell]}";

        // A value above zero has at least one eighth of a cell.
        return steps == 0 && share > 0 ? $"{Parts[1]}" : new string(Full, steps / StepsOfCell) + part;
    }

    /// <param name="min">The least number of shaded columns.</param>
    public static string OfParts(double full, double end, int min, int width)
    {
        int first = (int)Math.Round(Clamped(full) * width);
        int last = Math.Min(width, Math.Max(first + min, (int)Math.Round(Clamped(end) * width)));
        return new string(Full, first) + new string(Shaded, last - first);
    }

    /// <summary>All places are from 0 at the left to 1 at the right.</summary>
    public static string OfDot(double dot, double? lower, double? upper, double origin, int width)
    {
        char[] cells = [.. Enumerable.Repeat(' ', width)];
        int Cell(double place) => (int)Math.Round(Clamped(place) * (width - 1));
        if (lower is { } from && upper is { } to)
        {
            cells.AsSpan(Cell(from), Cell(to) - Cell(from) + 1).Fill('─');
            (cells[Cell(from)], cells[Cell(to)]) = ('├', '┤');
        }

        cells[Cell(origin)] = cells[Cell(origin)] switch
        {
            ' ' => '│',
            '─' => '┼',
            var end => end,
        };
        cells[Cell(dot)] = '●';
        return new string(cells);
    }

    private static double Clamped(double share) => double.IsNaN(share) ? 0 : Math.Clamp(share, 0, 1);
}
