using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>One library under one load.</summary>
/// <param name="Title">The heading of the benchmark.</param>
/// <param name="Plan">The load, with the library's name in it.</param>
/// <param name="Library">The description of the library and its capabilities.</param>
/// <param name="Workload">The test of the plan.</param>
/// <param name="Launches">The number of launches.</param>
internal sealed record SuiteCase(string Title, RunPlan Plan, LibraryInfo Library, IWorkload Workload, int Launches)
{
    /// <summary>The part of the page that contains the benchmark.</summary>
    public string? Part { get; init; }

    /// <summary>The number of extra launches if the launches differ too much for their median to be used.</summary>
    public int MostExtraLaunches { get; init; }

    /// <summary>Whether the raw sockets' control is measured before each launch.</summary>
    public bool WithControl { get; init; } = true;

    /// <summary>The library and profile as named in a report.</summary>
    public string Name => RunResult.NameOf(Library.Name, Plan.Profile.ToString());

    public override string ToString() => $"{Title}, {Name}";
}

/// <summary>The progress of a suite, for display.</summary>
/// <param name="Case">The current case.</param>
/// <param name="Launch">The launch of the case, from 1.</param>
/// <param name="Number">The number of the launch among all, from 1.</param>
/// <param name="Count">The number of all launches.</param>
/// <param name="Expected">The expected length of this launch.</param>
/// <param name="ExpectedAfter">The expected length of the launches after it.</param>
internal sealed record SuiteStep(SuiteCase Case, int Launch, int Number, int Count, TimeSpan Expected, TimeSpan ExpectedAfter);
