using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>A benchmark that runs for several libraries.</summary>
/// <param name="Title">Its heading.</param>
/// <param name="Template">The plan, in which the library is replaced.</param>
/// <param name="Launches">Launches of each case.</param>
internal sealed record Benchmark(string Title, RunPlan Template, int Launches)
{
    /// <summary>The part of the page that it stands in; null for the first, which has no heading.</summary>
    public string? Part { get; init; }

    /// <summary>How many launches more a case may have where its launches differ too much for their median to be used.</summary>
    public int MostExtraLaunches { get; init; }

    /// <summary>Whether libraries that have one also run with their tuned profile.</summary>
    public bool WithTunedProfiles { get; init; }

    /// <summary>Whether the raw sockets' control is measured before each launch.</summary>
    public bool WithControl { get; init; }

    /// <summary>Whether the server has to send without being asked.</summary>
    public bool SendsUnasked { get; init; }

    /// <summary>Whether each library's own clients drive its server where the fastest would otherwise drive all.</summary>
    public bool OwnClients { get; init; }

    /// <summary>Whether a library can take part.</summary>
    /// <param name="library">The library.</param>
    /// <param name="fastest">The library whose clients are the fastest over this transport; null where each has to use its own.</param>
    public bool Runs(LibraryInfo library, LibraryInfo? fastest) =>
        library.Protocols.Contains(Template.Protocol)
        && (!SendsUnasked || library.SendsUnasked.Contains(Template.Protocol))
        && (OwnClients ? library.HasClients && fastest is not null && library.Name != fastest.Name : library.HasClients || fastest is not null);
}
