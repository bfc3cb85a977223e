using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>HTML and SVG as XML, so that every parser can check it, and all text is escaped by the writer.</summary>
internal static class Xml
{
    /// <summary>A tuple of a name and a value is an attribute, which is left out if the value is null.</summary>
    public static XElement Element(XName name, params object?[] content) => new(name, content.Select(object? (object? part) => part switch
    {
        string text => Valid(text),
        (string, null) => null,
        (string attribute, double number) => new XAttribute(attribute, Number(number)),
        (string attribute, string text) => new XAttribute(attribute, Valid(text)),
        _ => part,
    }));

    /// <summary>The text of the embedded files is not escaped.</summary>
    public static XElement Embedded(XName name, params string[] files) => new(name, new RawText(string.Concat(files.Select(Read))));

    public static string Number(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);

    /// <summary>Writes lines, but no spaces that would be seen.</summary>
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
    private static string Valid(string text) => text.All(XmlConvert.IsXmlChar) ? text : string.Concat(text.EnumerateRunes().Select(
        rune => rune.Utf16SequenceLength == 2 || XmlConvert.IsXmlChar((char)rune.Value) ? rune : Rune.ReplacementChar));

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
