namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Copies of a result with other figures.</summary>
internal static class ResultChanges
{
    public static RunResult WithPlan(this RunResult run, Func<RunPlan, RunPlan> change) => run with { Plan = change(run.Plan) };

    public static RunResult WithClients(this RunResult run, Func<ClientReport, ClientReport> change) => run with { Clients = change(run.Clients) };

    public static RunResult WithServer(this RunResult run, Func<ServerReport, ServerReport> change) => run with { Server = change(run.Server!) };

    /// <summary>Gives the server the CPU time of a million messages, in seconds.</summary>
    public static RunResult WithCost(this RunResult run, double user, double system) =>
        run.WithServer(server => server with { Cost = SampleResults.Cost(1_000_000, user, system) });

    public static RunResult OfLibrary(this RunResult run, string library) => run.WithPlan(plan => plan with { Library = library }).As(library);

    /// <summary>Gives the run the identity of another measurement, which follows from its own and a word.</summary>
    public static RunResult As(this RunResult run, string other) => run with
    {
        Id = new Guid(SHA256.HashData([.. run.Id.ToByteArray(), .. Encoding.UTF8.GetBytes(other)])[..16]),
    };

    /// <summary>Changes the messages and the time, so that a whole rate is exact.</summary>
    public static RunResult WithRate(this RunResult run, double rate)
    {
        long received = double.IsInteger(rate) ? (long)rate : run.Clients.Measured.ClientReceived;
        return run.WithClients(clients => clients with
        {
            Measured = clients.Measured with { ClientReceived = received },
            DurationSeconds = double.IsInteger(rate) ? 1 : received / rate,
        }).As(rate.ToString(CultureInfo.InvariantCulture));
    }

    public static RunResult WithLatency(this RunResult run, LatencySummary? latency) => run.WithClients(clients => clients with
    {
        Latency = latency is null ? new LatencyReport(null, null) : clients.Latency with { Microseconds = latency },
    });

    public static RunResult WithHistogram(this RunResult run, string? histogram) =>
        run.WithClients(clients => clients with { Latency = clients.Latency with { Histogram = histogram } });

    /// <summary>Removes the histogram, as a brief result does.</summary>
    public static RunResult WithoutHistogram(this RunResult run) => run.WithHistogram(null);

    public static RunResult WithLost(this RunResult run, long lost) => run.WithClients(clients => clients with
    {
        AfterStart = clients.AfterStart with { GivenUp = lost },
        Whole = clients.Whole with { GivenUp = lost, ClientSent = clients.Whole.ClientReceived + lost },
    });

    public static RunResult WithErrors(this RunResult run, params (string Name, long Count)[] errors) => run.WithClients(clients => clients with
    {
        Errors = new SortedDictionary<string, long>(errors.ToDictionary(error => error.Name, error => error.Count)),
    });

    public static SuiteResult WithBenchmarks(this SuiteResult suite, params BenchmarkResult[] benchmarks) => suite with { Benchmarks = benchmarks };

    public static BenchmarkResult WithCases(this BenchmarkResult benchmark, Func<CaseResult, CaseResult> change) =>
        benchmark with { Cases = [.. benchmark.Cases.Select(change)] };

    public static BenchmarkResult WithCase(this BenchmarkResult benchmark, string library, Func<CaseResult, CaseResult> change) =>
        benchmark.WithCases(result => result.Library == library ? change(result) : result);

    public static CaseResult WithLaunches(this CaseResult result, Func<LaunchResult, LaunchResult> change) =>
        result with { Launches = [.. result.Launches.Select(change)] };

    public static CaseResult WithRuns(this CaseResult result, Func<RunResult, RunResult> change) =>
        result.WithLaunches(launch => launch with { Result = launch.Result is { } run ? change(run) : null });

    public static RunResult WithFaults(this RunResult run, params string[] faults) => run with { Verdict = run.Verdict with { Faults = faults } };
}
