namespace NetCoreNetworkBenchmark.Running.Suites.Parts;

/// <summary>A part of the predefined benchmark (<c>-b=NAME</c>): its loads, and in what it differs from the other parts.</summary>
/// <param name="Create">Creates the benchmarks, in the order in which they run.</param>
internal sealed record BenchmarkPart(string Name, Func<PartTemplates, IEnumerable<Benchmark>> Create)
{
    public const string Whole = "all";

    /// <summary>The time within which the further sets end, unless the user chose one.</summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromMinutes(25);

    /// <summary>Whether it is a first look: it has one baseline and short counts of packets, and writes files only if they are requested.</summary>
    public bool IsFirstLook { get; init; }

    /// <summary>Whether the cases alternate in slices. Otherwise, each has launches of its own, over an impaired path.</summary>
    public bool HasSlices { get; init; } = true;

    /// <summary>Whether the user may choose its kinds of networks.</summary>
    public bool HasNetworks { get; init; }

    /// <summary>Whether libraries that carry no messages take part.</summary>
    public bool IsOfConnections { get; init; }

    /// <summary>The library whose settings are compared, unless the user chooses another one; null if libraries are compared.</summary>
    public string? OnlyLibrary { get; init; }

    public bool HasBaseline => HasSlices && OnlyLibrary is null;

    /// <summary>What follows <c>-b</c> on the command line.</summary>
    public string Suffix => Name == Whole ? string.Empty : $"={Name}";
}

/// <summary>The plans of which the loads of a part are variants.</summary>
/// <param name="Original">The plan of the original's benchmarks.</param>
/// <param name="Brief">The plan of the further benchmarks, which are many.</param>
/// <param name="Networks">The kinds of networks that the user has chosen; none for those of the part.</param>
internal sealed record PartTemplates(RunPlan Original, RunPlan Brief, IReadOnlyCollection<IWorkload> Workloads, IReadOnlyList<string> Networks)
{
    public IWorkload With(BenchmarkRole role) => Workloads.Single(workload => workload.Role == role);
}
