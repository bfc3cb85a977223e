using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The load of a benchmark, and the settings of its cases, in words.</summary>
internal static class Loads
{
    private const string MeaningOfSend =
        " With send=message each message reaches the library by a call of its own, as in the library's examples; " +
            "with send=receive one call hands over all that one receive call brought.";

    /// <summary>Returns the load of a benchmark, after a colon; empty if no launch has a result.</summary>
    public static string Of(BenchmarkResult benchmark)
    {
        RunResult[] runs = CaseBlocks.MediansOf(benchmark);
        if (runs is not [var first, ..])
        {
            return string.Empty;
        }

        string driver = DriverOf([.. runs.Where(run => run.Framing is not null)]) is { } library ? $", clients of {library}" : string.Empty;
        return Deliveries.Fits(benchmark) ? $": {Of(first)}" : $": {Of(first)}, {NameOf(first.Protocol)}{driver}";
    }

    /// <summary>Returns the clients, messages and sizes of a run.</summary>
    public static string Of(RunResult run)
    {
        string sending = run.Plan.Rate is { } rate ? $"{Figure(rate)} msg/s" : $"{Count(run.Plan.ParallelMessages, "message")} in flight each";
        return $"{Count(run.Plan.Clients, "client")}, {sending}, {Figure(run.Plan.MessageSize)} bytes";
    }

    /// <summary>Returns the usual name of a protocol, such as TLS.</summary>
    public static string NameOf(string protocol) => protocol == "Ssl" ? "TLS" : protocol.ToUpperInvariant();

    /// <summary>Returns the library whose clients drove all of several servers; null if there was no such library.</summary>
    public static string? DriverOf(IReadOnlyCollection<RunResult> runs)
    {
        string?[] drivers = [.. runs.Select(run => run.ClientLibrary).Distinct()];
        return drivers.Length == 1 && runs.Any(run => run.Library != drivers[0]) ? drivers[0] : null;
    }

    /// <summary>Returns the settings in which the tuned cases of a benchmark differ from the default ones; null if no case is tuned.</summary>
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
