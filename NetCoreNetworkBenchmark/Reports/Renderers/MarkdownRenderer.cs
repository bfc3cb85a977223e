using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>Writes a report as Markdown that is also readable as plain text.</summary>
internal sealed class MarkdownRenderer(TextWriter writer)
{
    private const string Fence = "```";
    private const int MostLevels = 6;

    private Media _medium = Media.Markdown;
    private int _width = int.MaxValue;
    private bool _hasBlock;

    public void Write(Document document)
    {
        WriteTitle(document);
        Write(document.Blocks, document.Level + 1);
    }

    /// <summary>Writes what a person at a console wants to see, where a script or a file takes it.</summary>
    public void WriteSummary(Document document, int width)
    {
        (_medium, _width) = (Media.Console, width);
        if (!document.HasLead)
        {
            WriteTitle(document);
        }

        Write(document.ForConsole(), document.Level + 1);
    }

    private void WriteTitle(Document document)
    {
        writer.WriteLine($"{new string('#', document.Level)} {document.Title} (v {document.Version})");
        _hasBlock = true;
    }

    private void Write(IEnumerable<Block> blocks, int level)
    {
        Block? before = null;
        foreach (Block block in blocks.Where(block => block.IsIn(_medium)))
        {
            if (block is not Plot plot || plot.Picture != (before as Plot)?.Picture)
            {
                Write(block, level);
            }

            before = block;
        }
    }

    private void Write(Block block, int level)
    {
        if (block is Section { IsLead: true } lead)
        {
            Write(lead.Blocks, level);
            return;
        }

        WriteLines(_hasBlock ? [string.Empty] : []);
        _hasBlock = true;
        switch (block)
        {
            case Section section:
                writer.WriteLine($"{new string('#', Math.Min(level, MostLevels))} {section.Title}");
                Write(section.Blocks, level + 1);
                break;
            case Paragraph paragraph:
                writer.WriteLine(TextOf(paragraph.Text));
                break;
            case BulletList list:
                WriteLines(list.Items.Select(item => $"* {TextOf(item)}"));
                break;
            case CodeBlock code:
                writer.WriteLine($"    {code.Text}");
                break;
            case Facts { Style: FactStyle.Figures } facts:
                WriteLines([Fence, .. facts.Items.Select(fact => $"{fact.Name}: {fact.Value}"), Fence]);
                break;
            case Facts facts:
                WriteLines(facts.Items.Select(fact => $"* {fact.Name}: {fact.Value}"));
                break;
            case Table table:
                WriteLines(table.HasTitle ? [$"{table.Caption}:", string.Empty] : []);
                Write((table with { Bars = null }).FitTo(_width));
                break;
            case Plot plot:
                writer.WriteLine($"![{plot.Title}: {plot.XTitle}]({plot.Picture})");
                break;
            default:
                throw new ArgumentException($"{block.GetType().Name} is not a known block.", nameof(block));
        }
    }

    private void Write(Table table)
    {
        string Row(IEnumerable<string> cells) => $"|{string.Concat(cells.Select((cell, column) => table.Columns[column].IsText
            ? $" {cell.PadRight(table.WidthOf(column))} |"
            : $" {cell.PadLeft(table.WidthOf(column))} |"))}";
        IEnumerable<string> rules = table.Columns.Select((column, index) => new string('-', table.WidthOf(index) + 1) + (column.IsText ? "-|" : ":|"));
        WriteLines(
        [
            Row(table.Columns.Select(column => column.Title)), $"|{string.Concat(rules)}",
            .. table.Rows.Select(row => Row(row.Cells.Select(cell => cell.Text))),
        ]);
    }

    private void WriteLines(IEnumerable<string> lines)
    {
        foreach (string line in lines)
        {
            writer.WriteLine(line);
        }
    }

    private static string TextOf(Inline[] text) => string.Concat(text.Select(part => part.Mark switch
    {
        Mark.Strong => $"**{part.Text}**",
        Mark.Code => $"`{part.Text}`",
        _ => part.Text,
    }));
}
