using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static class CaseBlocks
{
    public static string RateOf(BenchmarkResult benchmark, CaseResult result) =>
        CaseFigures.From(benchmark, result).MessagesPerSecond is { } rate ? Figure(rate.Value) : StateOf(result);

    public static string StateOf(CaseResult result) => result.Launches.Count == 0 ? "not run" : "failed";

    public static string NameOf(CaseResult result) => result.Library + MarkOf(result);

    public static string MarkOf(CaseResult? result) => result is { Valid: false, Summary: not null } ? " (invalid)" : string.Empty;

    public static string ValidOf(CaseResult result) => Invariant($"{result.Launches.Count(launch => launch.IsValid)} of {result.Launches.Count}");

    public static Tone ToneOf(CaseResult result) => result.Valid ? Tone.Plain : Tone.Bad;

    public static RunResult[] MediansOf(params IEnumerable<BenchmarkResult> benchmarks) =>
        [.. benchmarks.SelectMany(benchmark => benchmark.Cases).Select(result => result.MedianLaunch()).OfType<RunResult>()];

    public static Table? LaunchTableOf(BenchmarkResult benchmark) => benchmark.Cases is not [{ Launches: { Count: > 1 } launches }] ? null : Table.Create(
        "Launches",
        [
            new("launch", launch => launch.Number, IsRowHeader: true, Text: launch => Figure(launch.Number) + (launch.IsValid ? string.Empty : " (invalid)")),
            new("msg/s", launch => launch.MessagesPerSecond),
            new("p99", launch => launch.P99Microseconds) { Text = launch => Time(launch.P99Microseconds) },
            new("server CPU per message", launch => launch.ServerCpuMicroseconds) { Text = launch => Time(launch.ServerCpuMicroseconds), Priority = 1 },
        ],
        launches,
        launch => launch.IsValid ? Tone.Plain : Tone.Bad) with
    { HasTitle = true };

    public static IEnumerable<Block> PlotsOf(BenchmarkResult benchmark, Palette palette)
    {
        (string launch, string launches) = benchmark.Baseline is null ? ("launch", "launches") : ("set", "sets");
        (string Library, RunResult Run)[] medians =
            [.. from result in benchmark.Cases let median = result.MedianLaunch() where median is not null select (result.Library, median)];
        Series[] rates =
        [
            .. from result in benchmark.Cases
               where result.Launches.Any(run => run.MessagesPerSecond is not null)
               select new Series(result.Library, palette.Of(result.Library),
               [
                   .. from run in result.Launches.Index()
                      let rate = run.Item.MessagesPerSecond
                      let words = Invariant($"{result.Library}, {launch} {run.Index + 1}: {rate:N0} msg/s{(run.Item.IsValid ? string.Empty : ", invalid")}")
                      where rate is not null
                      select new PlotPoint(run.Index + 1, rate.Value, words, !run.Item.IsValid),
               ])
               {
                   Words = $"{result.Library}: {string.Join(", ", result.Launches.Select(run => Figure(run.MessagesPerSecond)))} msg/s",
               },
        ];
        return
        [
            LatencyCurve.PlotOf(
                "Latency over percentiles",
                $"Of the {launch} with the median rate alone; the table has the percentiles of all {launches} together.",
                medians.Select(median => new NamedLatency(median.Library, median.Run.Clients.Latency)),
                palette),
            Plot.Lines(
                $"Rate over {launches}",
                Axis.Numbers(benchmark.Cases.Select(result => result.Launches.Count).DefaultIfEmpty().Max()), Axis.Logarithmic, Short, rates) with
            {
                Note = rates.Any(line => line.Points.Any(point => point.IsHollow)) ? "Circles: invalid." : null,
                YTitle = "msg/s",
                XTitle = launch,
                Legend = [],
            },
            .. Cost.PlotsOf(
                medians.Any(median => median.Run.Costs.Server is not null) ? "Server: " : "Server and clients: ",
                from median in medians
                let cost = median.Run.Costs.Server ?? median.Run.Costs.Combined
                where cost is not null
                select new Cost(median.Library, palette.Of(median.Library), cost)),
        ];
    }

    public static Section DetailsOf(BenchmarkResult benchmark, CaseResult result, Media media) => new(result.Library,
    [
        .. CommonBlocks.Invalid(result.InvalidReasons),
        .. result.MedianLaunch() is not { } median ? [] : (Block?[])
        [
            new Paragraph(
                $"{(result.ToBaseline is null ? "Launches" : "Sets")}: {string.Join(", ", result.Launches.Select(RateOf))} msg/s{BaselinesOf(result)}. " +
                    $"Below is the median one, with its own latencies{QueueingOf(result, median)}."),
            new Paragraph(CommonBlocks.TransportOf(median)),
            .. CommonBlocks.Invalid(median.InvalidReasons),

            // Notes are those of all launches, and follow the tables.
            .. RunBuilder.FiguresOf(median, remarks: []),
        ],
    ])
    {
        IsFolded = true,
        Note = $": {RateOf(benchmark, result)}{(result.Summary is null ? string.Empty : " msg/s")}{(result.Valid ? string.Empty : ", invalid")}",
        Media = media,
    };

    // Little 1961: the number in flight is the rate times the round trip, so with a full window the latency is the inverse of the rate.
    private static string QueueingOf(CaseResult result, RunResult run) => result.ToBest is not null && run.Schedule is null && run.Plan.Think == TimeSpan.Zero
        ? ", which are queueing, because each client keeps its window full"
        : string.Empty;

    private static string BaselinesOf(CaseResult result) =>
        result.Launches.Any(launch => launch.Baseline is not null)
            ? $"; the baseline in the same sets: {string.Join(", ", result.Launches.Select(launch => Figure(launch.Baseline?.MessagesPerSecond)))}"
            : result.Launches.Any(launch => launch.Control is not null)
            ? $"; raw sockets just before each: {string.Join(", ", result.Launches.Select(launch => Figure(launch.Control)))}"
            : string.Empty;

    private static string RateOf(LaunchResult launch) =>
        launch.MessagesPerSecond is { } rate ? Figure(rate) + (launch.IsValid ? string.Empty : " (invalid)") : "failed";
}

internal static class Loads
{
    private const string MeaningOfSend =
        " With send=message each message reaches the library by a call of its own, as in the library's examples; " +
            "with send=receive one call hands over all that one receive call brought.";

    /// <summary>Begins with a colon; empty if the cases have several loads, or if no launch has a result.</summary>
    public static string Describe(BenchmarkResult benchmark)
    {
        RunResult[] runs = CaseBlocks.MediansOf(benchmark);
        string driver = DriverOf([.. runs.Where(run => run.Framing is not null)]) is { } library ? $", clients of {library}" : string.Empty;
        return runs is not [var first, ..] ? string.Empty
            : (Deliveries.AppliesTo(benchmark) && benchmark.Baseline is null) || Deliveries.IsGoodput(benchmark) ? $": {Describe(first)}"
            : !IsOne(benchmark) ? string.Empty
            : $": {Describe(first)}, {NameOf(first.Protocol)}{driver}{PathOf(first.Plan)}";
    }

    public static bool IsOne(BenchmarkResult benchmark) =>
        CaseBlocks.MediansOf(benchmark).DistinctBy(run => (Describe(run), run.Protocol)).Count() <= 1;

    /// <summary>Begins with a comma; empty for the usual delivery without an impairment.</summary>
    public static string PathOf(RunPlan plan)
    {
        string impairment = string.Join(", ", ImpairmentOptions.Describe(plan.Impairment));
        bool hasDelivery = !plan.Protocol.IsStream() && (impairment.Length > 0 || plan.Transmission != Transmission.Unreliable);
        string delivery = hasDelivery ? $", {plan.Transmission.ToString().ToLowerInvariant()}" : string.Empty;
        return delivery + (impairment.Length > 0 ? $", {impairment}" : string.Empty);
    }

    public static bool HaveRate(BenchmarkResult benchmark) => CaseBlocks.MediansOf(benchmark) is [{ Plan.Rate: not null }, ..];

    public static string Describe(RunResult run)
    {
        string sending = run.Plan.Rate is not null
            ? $"{RateOf(run.Plan)}{ArrivalsOf(run.Plan)}"
            : $"{Plural.Format(run.Plan.ParallelMessages, "message")} in flight each";
        return $"{Plural.Format(run.Plan.Clients, "client")}, {sending}, {SizeOf(run.Plan)}";
    }

    public static string RateOf(RunPlan plan) => plan.LastRate is { } last
        ? $"{Figure(plan.Rate)} to {Figure(last)} msg/s in {plan.Iterations} steps"
        : $"{Figure(plan.Rate)} msg/s{(plan.Clients == 1 ? string.Empty : $" ({Number(plan.Rate!.Value / plan.Clients)} for each client)")}";

    public static string ArrivalsOf(RunPlan plan) => plan.Arrivals == Arrivals.Even ? string.Empty : $", {plan.Arrivals} arrivals";

    public static string NameOf(string protocol) => protocol.ToUpperInvariant();

    /// <summary>Returns the library whose clients drove all of several servers; null if there was no such library.</summary>
    public static string? DriverOf(IReadOnlyCollection<RunResult> runs) =>
        runs.Select(run => run.ClientLibrary).Distinct().ToArray() is [var driver] && runs.Any(run => run.Library != driver) ? driver : null;

    public static string? TuningOf(BenchmarkResult benchmark)
    {
        RunResult[] runs = CaseBlocks.MediansOf(benchmark);
        (string Library, string[] Settings)[] tuned =
        [
            .. from run in runs
               where run.Plan.Profile != Profile.Default
               let plain = runs.FirstOrDefault(plain => plain.Library == run.Library && plain.Plan.Profile == Profile.Default)
               where plain is not null
               select (run.Library, run.Plan.Settings.Except(plain.Plan.Settings).Select(setting => $"{setting.Key}={setting.Value}").ToArray()),
        ];
        bool hasSend = tuned.Any(run => run.Settings.Any(setting => setting.StartsWith("send=", StringComparison.Ordinal)));
        string differences = string.Join("; ", tuned.Select(run => $"{run.Library} {string.Join(' ', run.Settings)}").Distinct());
        return tuned.Length == 0 ? null : $"Tuned: {differences}.{(hasSend ? MeaningOfSend : string.Empty)}";
    }
}
