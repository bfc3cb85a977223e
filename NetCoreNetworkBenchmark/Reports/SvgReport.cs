using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;
using NetCoreNetworkBenchmark.Reports.Renderers;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// The ranking of the first benchmarks of <c>-b</c>, or its deliveries under loss, as a picture (SVG) for the Markdown page. It has a background
/// of its own, so that it can be read in light and in dark surroundings, and it requests nothing.
/// </summary>
public sealed class SvgReport : IReport
{
    private const int Margin = 16;
    private const int HeightOfTitle = 24;

    /// <inheritdoc/>
    public string Name => "svg";

    /// <inheritdoc/>
    public string? FileNameOf(Result result) => result is SuiteResult suite ? PlotsOf(suite).FirstOrDefault()?.Picture : null;

    /// <inheritdoc/>
    public void Write(Result result, TextWriter writer)
    {
        Plot[] plots = [.. PlotsOf((SuiteResult)result)];
        SvgPlot[] drawn = [.. plots.Select(plot => new SvgPlot(plot))];
        double width = (2 * Margin) + plots.Select(plot => SvgPlot.WidthOf(plot.Title)).Append(SvgPlot.Width).Max();
        double height = Margin + drawn.Sum(plot => HeightOfTitle + plot.Height + Margin);
        var html = new HtmlWriter(writer);
        using HtmlWriter.Scope picture = html.Begin(
            "svg",
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("viewBox", FormattableString.Invariant($"0 0 {width:0.#} {height:0.#}")),
            ("width", FormattableString.Invariant($"{width * 1.5:0.#}")),
            ("role", "img"),
            ("aria-label", string.Join(". ", plots.Select(plot => $"{plot.Title}. {plot.Words}"))));
        html.Element("style", PageStyle.OfPicture);
        html.Empty("rect", ("class", "back"), ("width", "100%"), ("height", "100%"), ("rx", "8"));
        double top = Margin;
        foreach ((Plot plot, SvgPlot shape) in plots.Zip(drawn))
        {
            html.Element("text", plot.Title, ("class", "title"), ("x", $"{Margin}"), ("y", FormattableString.Invariant($"{top + 12:0.#}")));
            shape.Write(html, (Margin, top + HeightOfTitle));
            top += HeightOfTitle + shape.Height + Margin;
        }
    }

    private static IEnumerable<Plot> PlotsOf(SuiteResult suite) => DocumentBuilder.Of(suite).All<Plot>().Where(plot => plot.Picture is not null);
}
