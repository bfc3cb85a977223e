using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>HTML and SVG as XML, so that every parser can check it, and all text is escaped by the writer.</summary>
internal static class Xml
{
    private const char Replacement = '\uFFFD';

    /// <summary>Returns an attribute; null, which XML ignores, if it has no value.</summary>
    public static XAttribute? Attribute(string name, string? value) => value is null ? null : new XAttribute(name, Valid(value));

    /// <summary>Returns an element with text and perhaps a style.</summary>
    public static XElement Element(XName name, string text, string? style = null) => new(name, Attribute("class", style), Valid(text));

    /// <summary>Returns an element with the text of an embedded file, such as a script, which is not escaped.</summary>
    public static XElement Embedded(XName name, params IEnumerable<string> files) => new(name, new RawText(string.Concat(files.Select(Read))));

    /// <summary>Writes an element, in lines, but without spaces that would be seen.</summary>
    public static void Write(XElement element, TextWriter writer)
    {
        var settings = new XmlWriterSettings { Indent = true, IndentChars = string.Empty, OmitXmlDeclaration = true, NewLineChars = writer.NewLine };
        using (var xml = XmlWriter.Create(writer, settings))
        {
            element.WriteTo(xml);
        }

        writer.WriteLine();
    }

    // XML has no control characters, and no halves of surrogate pairs.
    public static string Valid(string text)
    {
        if (text.All(XmlConvert.IsXmlChar))
        {
            return text;
        }

        var valid = new StringBuilder(text);
        for (int index = 0; index < text.Length; index++)
        {
            if (index + 1 < text.Length && XmlConvert.IsXmlSurrogatePair(text[index + 1], text[index]))
            {
                index++;
            }
            else if (!XmlConvert.IsXmlChar(text[index]))
            {
                valid[index] = Replacement;
            }
        }

        return valid.ToString();
    }

    private static string Read(string file)
    {
        using Stream stream = typeof(Xml).Assembly.GetManifestResourceStream(typeof(Xml), file)!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }

    private sealed class RawText(string text) : XText(text)
    {
        public override void WriteTo(XmlWriter writer) => writer.WriteRaw(Value);
    }
}
