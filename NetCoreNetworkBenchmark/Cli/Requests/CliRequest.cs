using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The user's request, read from the command line and not yet checked against the libraries.</summary>
internal sealed record CliRequest
{
    public required CliAction Action { get; init; }

    /// <summary>The load. Its library is the default if <see cref="LibraryWasChosen"/> is false.</summary>
    public required RunPlan Plan { get; init; }

    public required bool LibraryWasChosen { get; init; }

    public bool ClientThreadsWereChosen { get; init; }

    public bool ProfileWasChosen { get; init; }

    public IReadOnlyList<RequestedSetting> Settings { get; init; } = [];

    /// <summary>The settings of the runtime that are compared; one if none are.</summary>
    public IReadOnlyList<RuntimePlan> RuntimeVariants { get; init; } = [new RuntimePlan()];

    /// <summary>The versions of a library that are compared; null if none are.</summary>
    public VersionRequest? Versions { get; init; }

    public bool DurationWasChosen { get; init; }

    /// <summary>The given options that the predefined benchmark also takes, with their values.</summary>
    public IReadOnlyList<string> BenchmarkArguments { get; init; } = [];

    public int? Launches { get; init; }

    /// <summary>Half the width of an interval at which a benchmark ends, between 0 and 1; null for the default.</summary>
    public double? Precision { get; init; }

    /// <summary>The time after which a benchmark has no further sets; null for the default.</summary>
    public TimeSpan? BenchmarkTime { get; init; }

    public IReadOnlyList<LatencyLimit> Limits { get; init; } = [];

    public int? MostClients { get; init; }

    public bool Json { get; init; }

    public bool Verbose { get; init; }

    public string? Output { get; init; }

    public bool Force { get; init; }

    /// <summary>The duration of the measurement of each predefined launch.</summary>
    public required TimeSpan BenchmarkDuration { get; init; }

    public SuitePart BenchmarkPart { get; init; }

    public bool Continue { get; init; }

    /// <summary>The deadline of each predefined launch as a whole; null for the sum of the deadlines of its phases.</summary>
    public TimeSpan? BenchmarkDeadline { get; init; }

    /// <summary>The library to which the others of a predefined benchmark are compared.</summary>
    public string Baseline { get; init; } = RunOptions.Baseline.Default!;

    public required int BenchmarkPort { get; init; }

    public VersusRequest? Versus { get; init; }
}

/// <param name="Build">The folder or file of the other build.</param>
/// <param name="IsOfBenchmark">Whether the cases are those of the predefined benchmark.</param>
internal sealed record VersusRequest(string Build, bool IsOfBenchmark, int Rounds, TimeSpan Slice, double Threshold);

internal enum CliAction
{
    Run,
    Server,
    Client,
    Sweep,
    CapacitySearch,
    Benchmark,
    Versus,
    HostsCheck,
    Undeploy,
    List,
    Agent,
}
