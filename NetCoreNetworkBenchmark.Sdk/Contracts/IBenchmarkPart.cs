namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>
/// A part of the predefined benchmark (<c>-b=NAME</c>): its loads, and in what it differs from the other parts. A public class with a parameterless
/// constructor that implements it is found automatically, and its name appears among the parts.
/// </summary>
public interface IBenchmarkPart
{
    /// <summary>The name by which the user selects the part, compared without regard to case. The part that runs if none is selected is named "all".</summary>
    string Name { get; }

    /// <summary>The time within which the further process sets end, unless the user chose one.</summary>
    TimeSpan Limit => TimeSpan.FromMinutes(25);

    /// <summary>Whether it is a first look: it has one baseline and short counts of packets, and writes files only if they are requested.</summary>
    bool IsFirstLook => false;

    /// <summary>Whether the cases alternate in slices. Otherwise, each has launches of its own, over an impaired path.</summary>
    bool HasSlices => true;

    /// <summary>Whether the user may choose its kinds of networks.</summary>
    bool HasNetworks => false;

    /// <summary>Whether libraries that carry no messages take part.</summary>
    bool IsOfConnections => false;

    /// <summary>The library whose settings are compared, unless the user chooses another one; null if libraries are compared.</summary>
    string? OnlyLibrary => null;

    /// <summary>Creates the benchmarks, at least one, in the order in which they run.</summary>
    IEnumerable<Benchmark> Create(PartTemplates templates);
}

/// <summary>The plans of which the loads of a part are variants.</summary>
/// <param name="Original">The plan of the original's benchmarks.</param>
/// <param name="Brief">The plan of the further benchmarks, which are many.</param>
/// <param name="Networks">The kinds of networks that the user has chosen (<see cref="NetworkProfile"/>); none for those of the part.</param>
/// <param name="Tests">The tests of the program and of loaded assemblies, by name. A part of a loaded assembly may use them all.</param>
public sealed record PartTemplates(RunPlan Original, RunPlan Brief, IReadOnlyList<string> Networks, IReadOnlyDictionary<string, IWorkload> Tests)
{
    /// <summary>Returns a time, or the duration of <see cref="Original"/> if that is shorter: the user may have chosen a short one.</summary>
    public TimeSpan Limit(TimeSpan time) => time < Original.Duration ? time : Original.Duration;
}
