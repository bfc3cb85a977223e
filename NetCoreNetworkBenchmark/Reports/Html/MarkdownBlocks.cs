using System.Globalization;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>Writes lines of the Markdown pages as HTML, so that no figure of these pages is missing.</summary>
internal static class MarkdownBlocks
{
    private const string Fence = "```";

    /// <summary>Writes the paragraphs, lists and blocks of lines that a Markdown page writes. Headings are left out.</summary>
    /// <param name="html">The page.</param>
    /// <param name="write">Writes the Markdown.</param>
    public static void Write(HtmlWriter html, Action<TextWriter> write)
    {
        foreach (string[] block in BlocksOf(TextOf(write)))
        {
            if (block[0] == Fence)
            {
                html.Element("pre", string.Join('\n', block.Skip(1)), ("class", "figures"));
            }
            else if (block[0].StartsWith('|'))
            {
                html.Element("pre", string.Join('\n', block), ("class", "scroll"), ("tabindex", "0"));
            }
            else if (block[0].StartsWith("* ", StringComparison.Ordinal))
            {
                WriteList(html, block.Select(line => line[2..]));
            }
            else if (!block[0].StartsWith('#'))
            {
                WriteParagraph(html, string.Join('\n', block));
            }

            html.Line();
        }
    }

    /// <summary>Writes a paragraph. Words in bold and in backquotes are marked.</summary>
    public static void WriteParagraph(HtmlWriter html, string text)
    {
        using HtmlWriter.Scope paragraph = html.Begin("p");
        WriteWords(html, text);
    }

    /// <summary>Writes a list; nothing if it has no items.</summary>
    public static void WriteList(HtmlWriter html, IEnumerable<string> items)
    {
        string[] all = [.. items];
        if (all.Length == 0)
        {
            return;
        }

        using HtmlWriter.Scope list = html.Begin("ul");
        foreach (string item in all)
        {
            using HtmlWriter.Scope entry = html.Begin("li");
            WriteWords(html, item);
        }
    }

    private static string[] TextOf(Action<TextWriter> write)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        write(text);
        return text.ToString().Split('\n');
    }

    // A block of figures begins with its fence, and has empty lines. Other blocks end at an empty line.
    private static IEnumerable<string[]> BlocksOf(string[] lines)
    {
        var block = new List<string>();
        foreach (string line in lines)
        {
            bool isInFence = block is [Fence, ..];
            if (isInFence ? line == Fence : line.Length == 0 || line == Fence)
            {
                if (block.Count > 0)
                {
                    yield return [.. block];
                }

                block = !isInFence && line == Fence ? [line] : [];
            }
            else
            {
                block.Add(line);
            }
        }

        if (block.Count > 0)
        {
            yield return [.. block];
        }
    }

    private static void WriteWords(HtmlWriter html, string text) => WriteMarked(
        html, text, "**", "strong", plain => WriteMarked(html, plain, "`", "code", html.Text));

    // A mark without an end is text.
    private static void WriteMarked(HtmlWriter html, string text, string mark, string element, Action<string> writePlain)
    {
        string[] parts = text.Split(mark);
        int marked = (parts.Length - 1) / 2 * 2;
        for (int index = 0; index < parts.Length; index++)
        {
            if (index % 2 == 1 && index < marked)
            {
                html.Element(element, parts[index]);
            }
            else
            {
                writePlain(index > marked ? mark + parts[index] : parts[index]);
            }
        }
    }
}
