using System.Xml.Linq;
using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;
using NetCoreNetworkBenchmark.Reports.Renderers;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// The ranking of the first benchmarks of <c>-b</c>, or its deliveries under loss, as a picture (SVG) for the Markdown page. It has a background
/// of its own, so that it can be read in light and in dark surroundings, and it requests nothing.
/// </summary>
public sealed class SvgReport : IReport
{
    private const int Margin = 16;
    private const int HeightOfTitle = 24;
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    /// <inheritdoc/>
    public string Name => "svg";

    /// <inheritdoc/>
    public string? FileNameOf(Result result) => result is SuiteResult suite ? new SuiteBuilder(suite).Picture().FirstOrDefault()?.Picture : null;

    /// <inheritdoc/>
    public void Write(Result result, TextWriter writer)
    {
        Plot[] plots = [.. new SuiteBuilder((SuiteResult)result).Picture()];
        double width = (2 * Margin) + plots.Select(plot => SvgPlot.WidthOf(plot.Title)).Append(SvgPlot.Width).Max();
        double top = Margin;
        var content = new List<XElement>();
        foreach (Plot plot in plots)
        {
            var shape = new SvgPlot(plot);
            XElement drawn = shape.Draw(s_svg);
            drawn.Add(Number("x", Margin), Number("y", top + HeightOfTitle), Number("width", SvgPlot.Width), Number("height", shape.Height));
            content.Add(new XElement(s_svg + "text", new XAttribute("class", "title"), Number("x", Margin), Number("y", top + 12), Xml.Valid(plot.Title)));
            content.Add(drawn);
            top += HeightOfTitle + shape.Height + Margin;
        }

        Xml.Write(
            new XElement(
                s_svg + "svg",
                new XAttribute("viewBox", FormattableString.Invariant($"0 0 {width:0.#} {top:0.#}")),
                Number("width", width * 1.5),
                new XAttribute("role", "img"),
                Xml.Attribute("aria-label", string.Join(". ", plots.Select(plot => $"{plot.Title}. {plot.Words}"))),
                Xml.Embedded(s_svg + "style", "plots.css"),
                new XElement(
                    s_svg + "rect", new XAttribute("class", "back"), new XAttribute("width", "100%"), new XAttribute("height", "100%"), Number("rx", 8)),
                content),
            writer);
    }

    private static XAttribute Number(string name, double value) => new(name, value.ToString("0.#", CultureInfo.InvariantCulture));
}
