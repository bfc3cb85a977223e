using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>What the user asked for, read from the command line and not yet checked against the libraries.</summary>
internal sealed record CliRequest
{
    /// <summary>What is to be done.</summary>
    public required CliAction Action { get; init; }

    /// <summary>The load. Its library is the default where <see cref="LibraryWasChosen"/> is false.</summary>
    public required RunPlan Plan { get; init; }

    public required bool LibraryWasChosen { get; init; }

    /// <summary>Whether the number of the clients' threads is the user's, and not the default.</summary>
    public bool ClientThreadsWereChosen { get; init; }

    /// <summary>Whether the user chose a profile.</summary>
    public bool ProfileWasChosen { get; init; }

    /// <summary>Settings of libraries.</summary>
    public IReadOnlyList<AskedSetting> Settings { get; init; } = [];

    /// <summary>Launches of each case; null where the user named no number.</summary>
    public int? Launches { get; init; }

    /// <summary>The limits of a sweep.</summary>
    public IReadOnlyList<LatencyLimit> Limits { get; init; } = [];

    /// <summary>The most clients that the search for them may try; null where the user named no number.</summary>
    public int? MostClients { get; init; }

    public bool Json { get; init; }

    /// <summary>Whether the user wants to see what a run is doing.</summary>
    public bool Verbose { get; init; }

    /// <summary>The folder for result files; null where the user named none.</summary>
    public string? Output { get; init; }

    /// <summary>How long each predefined launch measures.</summary>
    public required TimeSpan BenchmarkDuration { get; init; }

    /// <summary>What of the predefined benchmark runs.</summary>
    public SuitePart BenchmarkPart { get; init; }

    /// <summary>Whether an unfinished predefined benchmark is to go on.</summary>
    public bool Continue { get; init; }

    /// <summary>How long each predefined launch may take in all; null for the sum of its phases' deadlines.</summary>
    public TimeSpan? BenchmarkDeadline { get; init; }

    /// <summary>The port of the predefined runs.</summary>
    public required int BenchmarkPort { get; init; }

    /// <summary>How long each iteration of a microbenchmark takes.</summary>
    public required TimeSpan MicrobenchmarkTime { get; init; }
}

/// <summary>What the program can be asked to do with a load.</summary>
internal enum CliAction
{
    /// <summary>Run the plan, once or in several launches.</summary>
    Run,

    /// <summary>Be the server alone.</summary>
    Server,

    /// <summary>Be the clients alone, of a server that runs elsewhere.</summary>
    Client,

    /// <summary>Search for the highest rate.</summary>
    Sweep,

    /// <summary>Search for the most clients.</summary>
    MaxClients,

    /// <summary>Run the predefined benchmark.</summary>
    Benchmark,

    /// <summary>Show the libraries.</summary>
    List,

    /// <summary>Run BenchmarkDotNet over the harness' own hot paths.</summary>
    Microbenchmarks,

    /// <summary>Be an agent of a coordinator.</summary>
    Agent,
}
