using System.Globalization;
using System.Xml.Linq;
using NetCoreNetworkBenchmark.Reports.Html;
using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// The ranking of the first benchmarks of <c>-b</c>, or its deliveries under loss, as a picture (SVG) for the begin of the Markdown page. It has a background
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
    public string? FileNameOf(Result result) => result is not SuiteResult suite ? null
        : RankingPicture.Of(suite).Count > 0 ? RankingPicture.File
        : LossPicture.Of(suite.Benchmarks).Count > 0 ? LossPicture.File
        : null;

    /// <inheritdoc/>
    public void Write(Result result, TextWriter writer)
    {
        var suite = (SuiteResult)result;
        var plots = new List<XElement>();
        double top = Margin;
        double width = 0;
        foreach ((string title, Action<HtmlWriter> write) in PlotsOf(suite))
        {
            width = Math.Max(width, SvgPlot.WidthOf(title) + (3 * Margin));
            (XElement plot, double across, double down) = PlotOf(write);
            plots.Add(new XElement(s_svg + "text", new XAttribute("class", "title"), new XAttribute("x", Margin), Number("y", top + 12), title));
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

    private static IEnumerable<(string Title, Action<HtmlWriter> Write)> PlotsOf(SuiteResult suite)
    {
        IReadOnlyList<BenchmarkResult> ranked = RankingPicture.Of(suite);
        IReadOnlyList<BenchmarkResult> underLoss = ranked.Count > 0 ? [] : LossPicture.Of(suite.Benchmarks);
        var style = new SeriesStyle(ranked.Concat(underLoss).SelectMany(benchmark => benchmark.Cases).Select(found => found.Library));
        return underLoss.Count > 0
            ? [(LossPicture.TitleOf(underLoss), html => LossPlot.Write(underLoss, style, html))]
            : ranked.Select(benchmark => (
                $"{benchmark.Title}{SuitePage.Load(benchmark)}", (Action<HtmlWriter>)(html => RankingPlot.Write(benchmark, style, html))));
    }

    // The plot as a page has it, without the figure around it.
    private static (XElement Plot, double Width, double Height) PlotOf(Action<HtmlWriter> write)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        write(new HtmlWriter(text));
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
