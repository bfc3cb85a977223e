using NetCoreNetworkBenchmark.Options;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The user's request, read from the command line and not yet checked against the libraries.</summary>
internal sealed record CliRequest
{
    /// <summary>The requested action.</summary>
    public required CliAction Action { get; init; }

    /// <summary>The load. Its library is the default if <see cref="LibraryWasChosen"/> is false.</summary>
    public required RunPlan Plan { get; init; }

    public required bool LibraryWasChosen { get; init; }

    /// <summary>Whether the user chose the number of client threads.</summary>
    public bool ClientThreadsWereChosen { get; init; }

    /// <summary>Whether the user chose a profile.</summary>
    public bool ProfileWasChosen { get; init; }

    /// <summary>Settings of libraries.</summary>
    public IReadOnlyList<RequestedSetting> Settings { get; init; } = [];

    /// <summary>The settings of the runtime that are compared; one if none are.</summary>
    public IReadOnlyList<RuntimePlan> RuntimeVariants { get; init; } = [new RuntimePlan()];

    /// <summary>The versions of a library that are compared; null if none are.</summary>
    public VersionRequest? Versions { get; init; }

    /// <summary>Whether the user chose the duration.</summary>
    public bool DurationWasChosen { get; init; }

    /// <summary>The given options that the predefined benchmark also takes, with their values.</summary>
    public IReadOnlyList<string> BenchmarkArguments { get; init; } = [];

    /// <summary>The number of launches of each case; null if the user specified none.</summary>
    public int? Launches { get; init; }

    /// <summary>Half the width of an interval at which a benchmark ends, between 0 and 1; null for the default.</summary>
    public double? Precision { get; init; }

    /// <summary>The time after which a benchmark has no further sets; null for the default.</summary>
    public TimeSpan? BenchmarkTime { get; init; }

    /// <summary>The limits of a sweep.</summary>
    public IReadOnlyList<LatencyLimit> Limits { get; init; } = [];

    /// <summary>The most clients that the search for the most clients may try; null if the user specified none.</summary>
    public int? MostClients { get; init; }

    public bool Json { get; init; }

    /// <summary>Whether the user wants to see the progress of a run.</summary>
    public bool Verbose { get; init; }

    /// <summary>The folder for result files; null if the user specified none.</summary>
    public string? Output { get; init; }

    /// <summary>Whether an earlier result in the folder may be replaced.</summary>
    public bool Force { get; init; }

    /// <summary>The duration of the measurement of each predefined launch.</summary>
    public required TimeSpan BenchmarkDuration { get; init; }

    /// <summary>The part of the predefined benchmark that runs.</summary>
    public SuitePart BenchmarkPart { get; init; }

    /// <summary>Whether an unfinished predefined benchmark is continued.</summary>
    public bool Continue { get; init; }

    /// <summary>The deadline of each predefined launch as a whole; null for the sum of the deadlines of its phases.</summary>
    public TimeSpan? BenchmarkDeadline { get; init; }

    /// <summary>The library to which the others of a predefined benchmark are compared.</summary>
    public string Baseline { get; init; } = RunOptions.Baseline.Default!;

    /// <summary>The port of the predefined runs.</summary>
    public required int BenchmarkPort { get; init; }

    /// <summary>The comparison with another build; null if none is requested.</summary>
    public VersusRequest? Versus { get; init; }
}

/// <summary>The request to compare another build with this one.</summary>
/// <param name="Build">The folder or file of the other build.</param>
/// <param name="IsOfBenchmark">Whether the cases are those of the predefined benchmark.</param>
/// <param name="Rounds">The number of slices of each build in a set of processes.</param>
/// <param name="Slice">The length of a slice.</param>
/// <param name="Threshold">The least difference that matters.</param>
internal sealed record VersusRequest(string Build, bool IsOfBenchmark, int Rounds, TimeSpan Slice, double Threshold);

/// <summary>The actions of the program.</summary>
internal enum CliAction
{
    /// <summary>Run the plan, once or in several launches.</summary>
    Run,

    /// <summary>Run the server alone.</summary>
    Server,

    /// <summary>Run the clients alone, for a server that runs elsewhere.</summary>
    Client,

    /// <summary>Search for the highest rate.</summary>
    Sweep,

    /// <summary>Search for the most clients.</summary>
    CapacitySearch,

    /// <summary>Run the predefined benchmark.</summary>
    Benchmark,

    /// <summary>Compare another build with this one.</summary>
    Versus,

    /// <summary>Try the hosts.</summary>
    HostsCheck,

    /// <summary>Remove the program from the hosts.</summary>
    Undeploy,

    /// <summary>Show the libraries.</summary>
    List,

    /// <summary>Run as an agent of a coordinator.</summary>
    Agent,
}
