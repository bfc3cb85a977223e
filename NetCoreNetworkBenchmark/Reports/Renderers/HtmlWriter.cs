using System.Text;
using System.Xml;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>
/// Writes HTML that is also well-formed XML, so that every XML parser can check it. All text is escaped here, and nowhere else.
/// </summary>
/// <param name="writer">The page.</param>
internal sealed class HtmlWriter(TextWriter writer)
{
    private const char Replacement = '\uFFFD';

    /// <summary>Begins an element that contains others.</summary>
    public Scope Begin(string name, params ReadOnlySpan<(string Name, string? Value)> attributes)
    {
        WriteTag(name, attributes, ">");
        return new Scope(this, name);
    }

    /// <summary>Writes an element with text.</summary>
    public void Element(string name, string text, params ReadOnlySpan<(string Name, string? Value)> attributes)
    {
        WriteTag(name, attributes, ">");
        Text(text);
        writer.Write($"</{name}>");
    }

    /// <summary>Writes an element that never has content, such as <c>meta</c> or a shape of SVG.</summary>
    public void Empty(string name, params ReadOnlySpan<(string Name, string? Value)> attributes) => WriteTag(name, attributes, "/>");

    /// <summary>Writes a shape of SVG with the text that is shown when the mouse is over it.</summary>
    public void Shape(string name, string tip, params ReadOnlySpan<(string Name, string? Value)> attributes)
    {
        WriteTag(name, attributes, ">");
        Element("title", tip);
        writer.WriteLine($"</{name}>");
    }

    /// <summary>Writes text.</summary>
    public void Text(string text) => writer.Write(Escaped(text));

    /// <summary>Writes text of this program, which is no data, as it is.</summary>
    public void Raw(string text) => writer.Write(text);

    /// <summary>Ends the line.</summary>
    public void Line() => writer.WriteLine();

    private static string Escaped(string text)
    {
        var escaped = new StringBuilder(text.Length);
        for (int index = 0; index < text.Length; index++)
        {
            char letter = text[index];
            _ = letter switch
            {
                '&' => escaped.Append("&amp;"),
                '<' => escaped.Append("&lt;"),
                '>' => escaped.Append("&gt;"),
                '"' => escaped.Append("&quot;"),
                _ when XmlConvert.IsXmlChar(letter) => escaped.Append(letter),
                _ when index + 1 < text.Length && XmlConvert.IsXmlSurrogatePair(text[index + 1], letter) => escaped.Append(letter).Append(text[++index]),
                _ => escaped.Append(Replacement),
            };
        }

        return escaped.ToString();
    }

    private void WriteTag(string name, ReadOnlySpan<(string Name, string? Value)> attributes, string end)
    {
        writer.Write($"<{name}");
        foreach ((string attribute, string? value) in attributes)
        {
            if (value is not null)
            {
                writer.Write($" {attribute}=\"{Escaped(value)}\"");
            }
        }

        writer.Write(end);
    }

    /// <summary>The end of an element.</summary>
    internal readonly struct Scope(HtmlWriter html, string name) : IDisposable
    {
        /// <inheritdoc/>
        public void Dispose()
        {
            html.Raw($"</{name}>");
            html.Line();
        }
    }
}
