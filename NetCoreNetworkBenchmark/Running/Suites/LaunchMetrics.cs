using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>Our figures as metrics of BenchmarkDotNet: columns of its tables, and fields of its JSON. Medians over the launches.</summary>
internal sealed class LaunchMetrics(LaunchSchedule schedule) : IDiagnoser
{
    private static readonly Metered[] s_metered =
    [
        new("p50", "Median of the round trips in µs", (summary, _) => summary.P50Microseconds.Median),
        new("p99", "99th percentile of the round trips in µs", (summary, _) => summary.P99Microseconds.Median),
        new("Msg/server CPU s", "Messages for each second of the server's CPU time", (summary, _) => summary.MessagesPerServerCpuSecond?.Median),
        new("Server CPU µs", "The server's CPU time of one message in µs", (summary, _) => summary.ServerCpuMicroseconds?.Median),
        new("Valid launches", "Launches whose figures may be used", (_, valid) => valid),
    ];

    public IEnumerable<string> Ids => [nameof(LaunchMetrics)];

    public IEnumerable<IExporter> Exporters => [];

    public IEnumerable<IAnalyser> Analysers => [];

    public RunMode GetRunMode(BenchmarkCase benchmarkCase) => RunMode.NoOverhead;

    public void Handle(HostSignal signal, DiagnoserActionParameters parameters)
    {
        // The launches have measured all by themselves.
    }

    public IEnumerable<Metric> ProcessResults(DiagnoserResults results)
    {
        SuiteCase found = BenchmarkDotNetRun.CaseOf(results.BenchmarkCase);
        IReadOnlyList<LaunchResult> launches = schedule.PlannedResultsOf(found);
        CaseSummary? summary = CaseSummarizer.Summarize(found.Name, launches).Summary;
        int valid = launches.Count(launch => launch.Result is { Valid: true });
        return from metered in s_metered
               let figure = summary is null ? null : metered.Figure(summary, valid)
               where figure is not null
               select new Metric(metered, figure.Value);
    }

    public void DisplayResults(ILogger logger)
    {
        // They are in the table.
    }

    public IEnumerable<ValidationError> Validate(ValidationParameters validationParameters) => [];

    private sealed record Metered(string Name, string Legend, Func<CaseSummary, int, double?> Figure) : IMetricDescriptor
    {
        public string Id => Name;

        public string DisplayName => Name;

        public string NumberFormat => "N1";

        public UnitType UnitType => UnitType.Dimensionless;

        public string Unit => string.Empty;

        public bool TheGreaterTheBetter => Name.StartsWith("Msg", StringComparison.Ordinal);

        public int PriorityInCategory => Array.FindIndex(s_metered, metered => metered.Name == Name);

        public bool GetIsAvailable(Metric metric) => true;
    }
}
