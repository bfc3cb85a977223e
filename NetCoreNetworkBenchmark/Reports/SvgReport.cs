using System.Xml.Linq;
using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;
using NetCoreNetworkBenchmark.Reports.Renderers;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// The ranking of the first benchmarks of <c>-b</c>, or its deliveries under loss, as a picture (SVG) for the Markdown page; or the latencies of a run whose
/// rate rises. It has a background of its own, so that it can be read in light and in dark surroundings, and it requests nothing.
/// </summary>
public sealed class SvgReport : IReport
{
    private const double Margin = 16;
    private const double HeightOfTitle = 24;

    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    public string Name => "svg";

    public bool IsOneDocument => true;

    public string? FileNameOf(Result result) => result switch
    {
        SuiteResult suite => new SuiteBuilder(suite).PictureName,
        RunResult { Knee: not null } => RateStepBlocks.Picture,
        _ => null,
    };

    public void Write(Result result, TextWriter writer)
    {
        Plot[] plots = result is RunResult run ? [RateStepBlocks.PlotOf(run)] : [.. new SuiteBuilder((SuiteResult)result).Picture()];
        double width = (2 * Margin) + plots.Select(plot => SvgPlot.WidthOf(plot.Title)).Append(SvgPlot.Width).Max();
        double top = Margin;
        var content = new List<XElement>();
        foreach (Plot plot in plots)
        {
            var shape = new SvgPlot(plot);
            content.Add(Element("text", ("class", "title"), ("x", Margin), ("y", top + 12), plot.Title));
            content.Add(shape.Draw(s_svg, ("x", Margin), ("y", top + HeightOfTitle), ("width", SvgPlot.Width), ("height", shape.Height)));
            top += HeightOfTitle + shape.Height + Margin;
        }

        Xml.Write(
            Element(
                "svg",
                ("viewBox", $"0 0 {Xml.Number(width)} {Xml.Number(top)}"),
                ("width", width * 1.5),
                ("role", "img"),
                ("aria-label", string.Join(". ", plots.Select(plot => $"{plot.Title}. {plot.Words}"))),
                Xml.Embedded(s_svg + "style", "plots.css"),
                Element("rect", ("class", "back"), ("width", "100%"), ("height", "100%"), ("rx", "8")),
                content),
            writer);
    }

    private static XElement Element(string name, params object?[] content) => Xml.Element(s_svg + name, content);
}
