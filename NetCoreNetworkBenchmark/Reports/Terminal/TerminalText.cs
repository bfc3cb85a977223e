using System.Globalization;
using System.Text.RegularExpressions;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Reports.Terminal;

/// <summary>Draws the text of the Markdown pages without its marks, so that nothing on these pages is missing on a terminal.</summary>
internal static partial class TerminalText
{
    private const string Fence = "```";

    /// <summary>Draws text.</summary>
    /// <param name="console">The terminal.</param>
    /// <param name="write">Writes the Markdown.</param>
    /// <param name="drawTable">Draws a table instead of its cells; null to draw them.</param>
    public static void Draw(IAnsiConsole console, Action<TextWriter> write, Action? drawTable = null)
    {
        bool isFenced = false;
        var table = new List<string>();
        string text = TextOf(write).TrimEnd('\n');
        foreach (string line in text.Length == 0 ? [] : text.Split('\n'))
        {
            if (line.StartsWith('|') && !isFenced)
            {
                table.Add(line);
                continue;
            }

            DrawTable(console, table, drawTable);
            isFenced ^= line == Fence;
            if (line != Fence)
            {
                console.Write(isFenced ? new Text($"{line}\n") : new Markup($"{MarkupOf(line)}\n"));
            }
        }

        DrawTable(console, table, drawTable);
    }

    /// <summary>Draws a paragraph after an empty line.</summary>
    public static void Paragraph(IAnsiConsole console, string text, string style = "")
    {
        console.WriteLine();
        string markup = MarkupOf(text);
        console.Write(new Markup($"{(style.Length == 0 ? markup : $"[{style}]{markup}[/]")}\n"));
    }

    private static string TextOf(Action<TextWriter> write)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        write(text);
        return text.ToString();
    }

    private static void DrawTable(IAnsiConsole console, List<string> lines, Action? drawTable)
    {
        if (lines.Count == 0)
        {
            return;
        }

        if (drawTable is not null)
        {
            drawTable();
        }
        else if (lines[0].Length <= console.Profile.Width)
        {
            console.Write(TableOf(lines, TableBorder.Rounded));
        }
        else if (lines[0].Length - CellsOf(lines[0]).Length - 1 <= console.Profile.Width)
        {
            // Without its borders, the table fits.
            console.Write(TableOf(lines, TableBorder.None));
        }
        else
        {
            DrawRecords(console, lines);
        }

        lines.Clear();
    }

    // A table that is too wide has a line for each cell, below the first cell of its row.
    private static void DrawRecords(IAnsiConsole console, List<string> lines)
    {
        string[] headers = CellsOf(lines[0]);
        foreach (string[] cells in lines.Skip(2).Select(CellsOf))
        {
            console.Write(new Markup($"[bold]{MarkupOf(cells[0])}[/]\n"));
            var grid = new Grid().AddColumn(new GridColumn { Padding = new Padding(2, 0, 2, 0) }).AddColumn();
            foreach ((string header, string cell) in headers.Zip(cells).Skip(1))
            {
                grid.AddRow($"[dim]{MarkupOf(header)}[/]", MarkupOf(cell));
            }

            console.Write(grid);
        }
    }

    // The second line is the rule below the header. A colon at its end means figures.
    private static Table TableOf(List<string> lines, TableBorder border)
    {
        string[] rules = CellsOf(lines[1]);
        var table = new Table().Border(border);
        foreach ((string header, string rule) in CellsOf(lines[0]).Zip(rules))
        {
            table.AddColumn(new TableColumn(MarkupOf(header)) { Alignment = rule.EndsWith(':') ? Justify.Right : Justify.Left });
        }

        foreach (string line in lines.Skip(2))
        {
            table.AddRow([.. CellsOf(line).Select(MarkupOf)]);
        }

        return table;
    }

    private static string[] CellsOf(string line) => [.. line.Trim('|').Split('|').Select(cell => cell.Trim())];

    private static string MarkupOf(string line)
    {
        if (line.StartsWith('#'))
        {
            return $"[bold]{Markup.Escape(line.TrimStart('#', ' '))}[/]";
        }

        string text = line.StartsWith("* ", StringComparison.Ordinal) ? $"• {line[2..]}" : line;
        return Bold().Replace(Markup.Escape(text), "[bold]$1[/]").Replace("`", string.Empty, StringComparison.Ordinal);
    }

    [GeneratedRegex(@"\*\*(.+?)\*\*")]
    private static partial Regex Bold();
}
