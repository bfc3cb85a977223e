using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>What the user asked for, read from the command line and not yet checked against the libraries.</summary>
internal sealed record CliRequest
{
    /// <summary>The load. Its library is the default where <see cref="LibraryWasChosen"/> is false.</summary>
    public required RunPlan Plan { get; init; }

    public required bool LibraryWasChosen { get; init; }

    /// <summary>Run the predefined benchmark instead of <see cref="Plan"/>.</summary>
    public bool Benchmark { get; init; }

    /// <summary>Show the libraries instead of running anything.</summary>
    public bool List { get; init; }

    public bool Json { get; init; }

    public bool Verbose { get; init; }

    /// <summary>The folder for result files; null where the user named none.</summary>
    public string? Output { get; init; }

    /// <summary>A run of the predefined benchmark, which ends when its input does.</summary>
    public bool IsChild { get; init; }

    /// <summary>How long each predefined run measures.</summary>
    public required TimeSpan BenchmarkDuration { get; init; }

    /// <summary>How long each predefined run may take in all; null for the sum of its phases' deadlines.</summary>
    public TimeSpan? BenchmarkDeadline { get; init; }

    /// <summary>The port of the predefined runs.</summary>
    public required int BenchmarkPort { get; init; }
}
