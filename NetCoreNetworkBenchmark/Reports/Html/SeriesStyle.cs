namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>
/// The style of each library on a page, so that it looks the same in all plots: a colour for each library, and a kind of line for each of its profiles
/// and variants.
/// </summary>
internal sealed class SeriesStyle
{
    /// <summary>The number of colours in the style sheet.</summary>
    public const int Colours = 9;

    /// <summary>The number of kinds of line in the style sheet.</summary>
    public const int Dashes = 4;

    private readonly Dictionary<string, string> _classes = new(StringComparer.Ordinal);

    /// <summary>Creates the styles.</summary>
    /// <param name="names">The names of all cases, in their order.</param>
    public SeriesStyle(IEnumerable<string> names)
    {
        var libraries = new Dictionary<string, (int Colour, int Cases)>(StringComparer.Ordinal);
        foreach (string name in names.Distinct(StringComparer.Ordinal))
        {
            string library = name.Split(" (")[0];
            (int colour, int cases) = libraries.GetValueOrDefault(library, (libraries.Count % Colours, 0));
            _classes[name] = cases == 0 ? $"s{colour}" : $"s{colour} d{cases % Dashes}";
            libraries[library] = (colour, cases + 1);
        }
    }

    /// <summary>Returns the classes of a case.</summary>
    public string Of(string name) => _classes[name];

    /// <summary>Returns the class of a case's library, without that of its kind of line.</summary>
    public string ColourOf(string name) => _classes[name].Split(' ')[0];

    /// <summary>Writes the names of lines beside their style.</summary>
    public void WriteLegend(IEnumerable<string> names, HtmlWriter html)
    {
        using HtmlWriter.Scope list = html.Begin("ul", ("class", "legend"));
        foreach (string name in names)
        {
            using HtmlWriter.Scope item = html.Begin("li");
            html.Raw("<svg class=\"key\" viewBox=\"0 0 28 10\" aria-hidden=\"true\">");
            html.Empty("path", ("class", $"l {Of(name)}"), ("d", "M0 5H28"));
            html.Raw("</svg>");
            html.Text(name);
        }
    }
}
