using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>Plots with a group of bars for each benchmark, in which each case has one. They make one picture.</summary>
internal sealed class GroupedBars(BenchmarkResult[] benchmarks, Palette palette, Func<BenchmarkResult, CaseResult, string> describe)
{
    public const string Picture = "networks.svg";

    // The rest is the space between two groups, and between two bars.
    private const double WidthOfGroup = 0.94;
    private const double WidthOfBar = 0.76;

    private readonly string[] _names = [.. benchmarks.SelectMany(benchmark => benchmark.Cases).Select(result => result.Library).Distinct()];

    /// <param name="of">Gets the ends of a bar and the line across it; null if there is no such figure.</param>
    public Plot Plot(string title, Func<double, string> label, Func<BenchmarkResult, CaseResult, (double Low, double High, double? Cross)?> of)
    {
        (CaseResult Result, (double Low, double High, double? Cross)? Range, (double From, double To) Places, string Words)[] bars =
        [
            .. from benchmark in benchmarks.Index()
               from result in benchmark.Item.Cases
               let range = of(benchmark.Item, result)
               select (result, range, PlacesOf(benchmark.Index, Array.IndexOf(_names, result.Library)), Words(benchmark.Item, result)),
        ];
        return new Plot(title, Axis.Groups([.. benchmarks.Select(benchmark => benchmark.Title)]))
        {
            XTitle = "load",
            Note = bars.All(bar => bar.Result.Valid || bar.Range is null) ? null : "Dashed: invalid.",
            Y = Axis.Logarithmic(bars.SelectMany(bar => bar.Range is { } range ? (double[])[range.Low, range.High] : []), label),
            Words = string.Join("; ", bars.Select(bar => bar.Words)),
            Legend = [.. _names.Select(name => (name, $"{LookOf(bars.First(bar => bar.Result.Library == name).Result)} {palette.ColourOf(name)}"))],
            Ranges =
            [
                .. from bar in bars
                   where bar.Range is not null
                   let range = bar.Range!.Value
                   select new PlotRange(
                       palette.ColourOf(bar.Result.Library), bar.Result.Valid ? LookOf(bar.Result) : PlotStyle.InvalidBar, bar.Words, bar.Places,
                       range.Low, range.High, range.Cross),
            ],
            Picture = Picture,
            Media = Media.File,
        };
    }

    private string Words(BenchmarkResult benchmark, CaseResult result) =>
        $"{benchmark.Title}, {result.Library}: {describe(benchmark, result)}{(result.Valid || result.Summary is null ? string.Empty : ", invalid")}";

    // Messages that are not retransmitted are pale.
    private static string LookOf(CaseResult result) => result.MedianLaunch()?.Transmission == "Unreliable" ? PlotStyle.OutlinedBar : PlotStyle.Bar;

    private (double From, double To) PlacesOf(int group, int index)
    {
        double width = WidthOfGroup / _names.Length;
        double middle = group + 1 - (WidthOfGroup / 2) + ((index + 0.5) * width);
        return (middle - (width * WidthOfBar / 2), middle + (width * WidthOfBar / 2));
    }
}
