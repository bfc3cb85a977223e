using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>Also readable as plain text. The lines that users of the original harness commit to <c>Benchmarks/</c> come first, in their order.</summary>
public sealed partial class MarkdownReport : IReport
{
    public string Name => "markdown";

    public string? FileNameOf(Result result) => result.Kind == ResultKind.Suite ? "README.md" : $"{ResultFile.FileNameOf(result.Kind)}.md";

    public void Write(Result result, TextWriter writer)
    {
        Document document = DocumentBuilder.Create(result);
        new Page(writer, Media.Markdown, int.MaxValue).Write(document, document.Blocks, hasTitle: true);
    }

    /// <summary>The output of a command where a script or a file takes it.</summary>
    internal static void WriteSummary(Result result, TextWriter writer, int width = int.MaxValue)
    {
        Document document = DocumentBuilder.Create(result);
        new Page(writer, Media.Console, width).Write(document, document.ForConsole, hasTitle: !document.HasLead);
    }

    private sealed class Page(TextWriter writer, Media medium, int width)
    {
        private const string Fence = "```";
        private const int MaxLevels = 6;

        private bool _hasBlock;

        public void Write(Document document, IEnumerable<Block> blocks, bool hasTitle)
        {
            if (hasTitle)
            {
                writer.WriteLine($"{new string('#', document.Level)} {document.Title} (v {document.Version})");
                _hasBlock = true;
            }

            Write(blocks, document.Level + 1);
        }

        private void Write(IEnumerable<Block> blocks, int level)
        {
            Block? before = null;
            foreach (Block block in blocks.Where(block => block.IsIn(medium)))
            {
                if (block is Section { IsLead: true } lead)
                {
                    Write(lead.Blocks, level);
                }
                else if (block is not Plot plot || plot.Picture != (before as Plot)?.Picture)
                {
                    WriteLines(_hasBlock ? [string.Empty] : []);
                    _hasBlock = true;
                    Write(block, level);
                }

                before = block;
            }
        }

        private void Write(Block block, int level)
        {
            if (block is Section { IsFolded: true } folded && medium == Media.Markdown)
            {
                writer.WriteLine($"<details><summary>{InHtml($"{folded.Title}{folded.Note}")}</summary>");
                Write(folded.Blocks, level);
                WriteLines([string.Empty, "</details>"]);
                return;
            }

            if (block is Section section)
            {
                writer.WriteLine($"{new string('#', Math.Min(level, MaxLevels))} {section.Title}");
                Write(section.Blocks, level + 1);
                return;
            }

            WriteLines(block switch
            {
                Paragraph paragraph => [Render(paragraph.Text)],
                BulletList list => list.Items.Select(item => $"* {Render(item)}"),
                CodeBlock code => [$"    {code.Text}"],
                Facts { Style: FactStyle.Figures } facts => [Fence, .. facts.Items.Select(fact => $"{fact.Name}: {fact.Value}"), Fence],
                Facts facts => facts.Items.Select(fact => $"* {fact.Name}: {WithoutTags($"{fact.Value}")}"),

                // The lines between columns are wider than a gap of a terminal.
                Table table => LinesOf(Escaped(
                    ((medium == Media.Console ? table.WithMarks() : table) with { Bars = null }).FitTo(width - table.Columns.Count - 3))),
                Plot plot => [$"![{plot.Title}: {plot.XTitle}]({plot.Picture})"],
                _ => throw new ArgumentException($"{block.GetType().Name} is not a known block.", nameof(block)),
            });
        }

        // A bar would end its cell, and what looks like a tag would not be shown.
        private Table Escaped(Table table) => table with
        {
            Rows =
            [
                .. table.Rows.Select(row => row with
                {
                    Cells = [.. row.Cells.Select(cell => cell with { Text = WithoutTags(cell.Text.Replace("|", "\\|", StringComparison.Ordinal)) })],
                }),
            ],
        };

        private static IEnumerable<string> LinesOf(Table table)
        {
            string Row(IEnumerable<string> cells) => $"|{string.Concat(cells.Select((cell, column) => table.Columns[column].IsText
                ? $" {cell.PadRight(table.WidthOf(column))} |"
                : $" {cell.PadLeft(table.WidthOf(column))} |"))}";
            IEnumerable<string> rules = table.Columns.Select((column, index) => new string('-', table.WidthOf(index) + 1) + (column.IsText ? "-|" : ":|"));
            return
            [
                .. table.HasTitle ? [$"{table.Caption}:", string.Empty] : (string[])[],
                Row(table.Columns.Select(column => column.Title)), $"|{string.Concat(rules)}",
                .. table.Rows.Select(row => Row(row.Cells.Select(cell => cell.Text))),
            ];
        }

        private void WriteLines(IEnumerable<string> lines)
        {
            foreach (string line in lines)
            {
                writer.WriteLine(line);
            }
        }

        private string Render(Inline[] text) => string.Concat(text.Select(part => part.Mark switch
        {
            Mark.Strong => $"**{WithoutTags(part.Text)}**",
            Mark.Code when part.Text.Contains('`', StringComparison.Ordinal) => $"`` {part.Text} ``",
            Mark.Code => $"`{part.Text}`",
            _ => WithoutTags(part.Text),
        }));

        private static string InHtml(string text) =>
            text.Replace("&", "&amp;", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal);

        // A type such as List<Buffer> in the message of an error would be a tag (CommonMark 0.31, 6.6).
        private string WithoutTags(string text) => medium == Media.Markdown ? TagStart().Replace(text, @"\<") : text;
    }

    [GeneratedRegex("<(?=[A-Za-z/!?])")]
    private static partial Regex TagStart();
}
