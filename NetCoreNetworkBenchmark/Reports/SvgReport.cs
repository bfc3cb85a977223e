using System.Globalization;
using System.Xml.Linq;
using NetCoreNetworkBenchmark.Reports.Html;
using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// The ranking of the first benchmarks of <c>-b</c> as a picture (SVG) for the begin of the Markdown page. It has a background of its own, so that it can be
/// read in light and in dark surroundings, and it requests nothing.
/// </summary>
public sealed class SvgReport : IReport
{
    private const int Margin = 16;
    private const int HeightOfTitle = 24;
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    /// <inheritdoc/>
    public string Name => "svg";

    /// <inheritdoc/>
    public string? FileNameOf(Result result) => result is SuiteResult suite && RankingPicture.Of(suite).Count > 0 ? RankingPicture.File : null;

    /// <inheritdoc/>
    public void Write(Result result, TextWriter writer)
    {
        var suite = (SuiteResult)result;
        IReadOnlyList<BenchmarkResult> drawn = RankingPicture.Of(suite);
        var style = new SeriesStyle(drawn.SelectMany(benchmark => benchmark.Cases).Select(found => found.Library));
        var plots = new List<XElement>();
        double top = Margin;
        double width = 0;
        foreach (BenchmarkResult benchmark in drawn)
        {
            (XElement plot, double across, double down) = PlotOf(benchmark, style);
            plots.Add(new XElement(s_svg + "text", new XAttribute("class", "title"), new XAttribute("x", Margin), Number("y", top + 12), benchmark.Title));
            plot.Add(new XAttribute("x", Margin), Number("y", top + HeightOfTitle), Number("width", across), Number("height", down));
            plots.Add(plot);
            (top, width) = (top + HeightOfTitle + down + Margin, Math.Max(width, across + (2 * Margin)));
        }

        string words = $"{suite.Environment.Cpu}, {suite.Environment.Cores} cores";
        writer.WriteLine(new XElement(
            s_svg + "svg",
            new XAttribute("viewBox", FormattableString.Invariant($"0 0 {width:0.#} {top:0.#}")),
            Number("width", width * 1.5),
            new XAttribute("role", "img"),
            new XAttribute("aria-label", $"{words}. {string.Join(". ", plots.Select(plot => plot.Attribute("aria-label")?.Value).OfType<string>())}"),
            new XElement(s_svg + "style", PageStyle.OfPicture),
            new XElement(
                s_svg + "rect", new XAttribute("class", "back"), new XAttribute("width", "100%"), new XAttribute("height", "100%"), new XAttribute("rx", 8)),
            plots));
    }

    // The plot as a page has it, without the figure around it.
    private static (XElement Plot, double Width, double Height) PlotOf(BenchmarkResult benchmark, SeriesStyle style)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        RankingPlot.Write(benchmark, style, new HtmlWriter(text));
        XElement plot = XElement.Parse(text.ToString()).Descendants("svg").Single();
        foreach (XElement element in plot.DescendantsAndSelf())
        {
            element.Name = s_svg + element.Name.LocalName;
        }

        string[] box = plot.Attribute("viewBox")!.Value.Split(' ');
        return (plot, double.Parse(box[2], CultureInfo.InvariantCulture), double.Parse(box[3], CultureInfo.InvariantCulture));
    }

    private static XAttribute Number(string name, double value) => new(name, value.ToString("0.#", CultureInfo.InvariantCulture));
}
