using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>One library under one load.</summary>
/// <param name="Title">The benchmark's heading.</param>
/// <param name="Plan">The load, with the library's name in it.</param>
/// <param name="Library">What the library can do.</param>
/// <param name="Launches">How often it runs.</param>
internal sealed record SuiteCase(string Title, RunPlan Plan, LibraryInfo Library, int Launches)
{
    /// <summary>The part of the page that the benchmark stands in.</summary>
    public string? Part { get; init; }

    /// <summary>How many launches more it may have where its launches differ too much for their median to be used.</summary>
    public int MostExtraLaunches { get; init; }

    /// <summary>Whether the raw sockets' control is measured before each launch.</summary>
    public bool WithControl { get; init; } = true;

    /// <summary>Library and profile as a report names them.</summary>
    public string Name => RunResult.NameOf(Library.Name, Plan.Profile.ToString());

    public override string ToString() => $"{Title}, {Name}";
}

/// <summary>Where a suite is, for a person to look at.</summary>
/// <param name="Case">The case that runs.</param>
/// <param name="Launch">Its launch, from 1.</param>
/// <param name="Number">The launch's number among all, from 1.</param>
/// <param name="Count">How many launches there are in all.</param>
/// <param name="Expected">How long this launch is expected to take.</param>
/// <param name="ExpectedAfter">How long the launches after it are expected to take.</param>
internal sealed record SuiteStep(SuiteCase Case, int Launch, int Number, int Count, TimeSpan Expected, TimeSpan ExpectedAfter);
