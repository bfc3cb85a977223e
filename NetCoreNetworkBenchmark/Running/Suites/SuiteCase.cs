using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Discovery;

namespace NetCoreNetworkBenchmark.Running.Suites;

internal sealed record SuiteCase(string Title, RunPlan Plan, LibraryInfo Library, IWorkload Workload, int Launches)
{
    public string? Part { get; init; }
    public BenchmarkRow? Row { get; init; }
    public RankedFigure RankedBy { get; init; }

    /// <summary>The half width of a ratio's interval at which the benchmark ends; null if it has the requested number of sets.</summary>
    public double? Aim { get; init; }
    public bool IsBaseline { get; init; }
    public string? Build { get; init; }
    public string Name => LibraryResult.NameOf(Plan);

    /// <summary>The benchmark of the case. The cases of one benchmark are compared with each other.</summary>
    public (string? Part, string Title) Benchmark => (Part, Title);

    public SuiteCase With(VersionBuild build) => this with
    {
        Build = build.Assembly,
        IsBaseline = false,
        Plan = Plan with { Variant = string.Join(", ", MarksWith(build.Version)) },
    };

    public override string ToString() => $"{Title}, {Name}";

    // A variant replaces the profile in the name of a case.
    private IEnumerable<string> MarksWith(string version)
    {
        yield return version;
        if (Plan.Variant is { Length: > 0 } variant)
        {
            yield return variant;
        }
        else if (Plan.Profile != Profile.Default)
        {
            yield return Plan.Profile.ToString().ToLowerInvariant();
        }
    }
}

/// <summary>One launch of a case, or one set of several interleaved cases, for display.</summary>
internal sealed record SuiteStep(string Name, int Number, int Count, TimeSpan Expected, TimeSpan ExpectedAfter)
{
    public Decision? Decision { get; init; }
}

internal sealed record CaseLaunch(SuiteCase Case, LaunchResult Launch);

/// <summary>The order in which several cases are measured several times.</summary>
internal interface ISuiteSchedule
{
    InterleavingMethod? Interleaving { get; }

    /// <param name="cancellationToken">Ends the measurements early. The launches so far are kept.</param>
    Task RunAsync(CancellationToken cancellationToken);

    IReadOnlyList<LaunchResult> ResultsOf(SuiteCase suiteCase);

    /// <summary>Returns the case to which the others of a benchmark are compared; null if the cases take no turns.</summary>
    SuiteCase? BaselineOf(IReadOnlyList<SuiteCase> benchmark);

    /// <summary>Returns the aim and the time of a benchmark; null if the cases take no turns.</summary>
    Decision? DecisionOf(IReadOnlyList<SuiteCase> benchmark);
}

/// <param name="Template">The plan, in which the library is replaced. Its duration is the time of all slices of a case in a process set.</param>
/// <param name="Launches">The number of launches of each case: one for each fresh set of processes.</param>
internal sealed record Benchmark(string Title, IWorkload Workload, RunPlan Template, int Launches)
{
    public string? Part { get; init; }

    /// <summary>The name of this load among others with the same heading, which are compared to each other; null if libraries are compared.</summary>
    public string? Variant { get; init; }
    public BenchmarkRow? Row { get; init; }
    public RankedFigure RankedBy { get; init; }

    /// <summary>The half width of a ratio's interval at which the benchmark ends, such as 0.05 for ±5 %.</summary>
    public double Aim { get; init; } = 0.1;

    /// <summary>Whether raw sockets are a line to compare with, and not ranked among the libraries.</summary>
    public bool HasBaselines { get; init; }
    public bool WithTunedProfiles { get; init; }

    /// <summary>Whether each library's own clients drive its server, although the fastest would normally drive all.</summary>
    public bool OwnClients { get; init; }

    /// <summary>Whether a library belongs to the benchmark, besides what the load needs of it.</summary>
    public Func<LibraryInfo, bool> Suits { get; init; } = _ => true;

    /// <param name="fastest">The library whose clients are the fastest over this transport; null if each library has to use its own.</param>
    public bool Runs(LibraryInfo library, LibraryInfo? fastest) =>
        Suits(library)
        && library.Protocols.Contains(Template.Protocol)
        && (library.CarriesMessages || Workload is IConnectionWorkload)
        && (Workload.LatencyKind != LatencyKind.OneWay || library.ServerPushTransports.Contains(Template.Protocol))
        && (OwnClients ? library.HasClients && fastest is not null && library.Name != fastest.Name : library.HasClients || fastest is not null);
}

internal static class SuiteLibraries
{
    public static (IReadOnlyList<LibraryInfo> Libraries, IReadOnlyList<MissingLibrary> Missing) Choose(Catalog catalog, SuitePart part)
    {
        LibraryInfo[] wanted =
        [
            .. catalog.Libraries.Select(name => catalog.CreateLibrary(name)!.Info)
                .Where(info => part is SuitePart.Tls or SuitePart.TlsMatrix || info.CarriesMessages),
        ];
        return (
            [.. wanted.Where(info => info.Unavailable is null)],
            [
                .. catalog.NotInBuild,
                .. wanted.Where(info => info.Unavailable is not null).Select(info => new MissingLibrary(info.Name, info.Unavailable!)),
            ]);
    }
}

/// <summary>The part of the predefined benchmark that runs (<c>-b=PART</c>).</summary>
internal enum SuitePart
{
    All,

    Udp,

    Tcp,

    Ssl,

    /// <summary>TLS handshakes with keys of two kinds, at the server of every library in every architecture. Not part of the whole.</summary>
    Tls,

    /// <summary>
    /// TLS handshakes at the server of one library, which the user chooses: two keys, two versions, with and without resumption, three groups. Not part of the
    /// whole.
    /// </summary>
    TlsMatrix,

    /// <summary>
    /// The three groups of the reference benchmark for framed messages, over TCP and TLS: one message at a time, bursts, and bursts of several clients. Not
    /// part of the whole.
    /// </summary>
    Framed,

    /// <summary>
    /// Reliable against unreliable delivery under loss and delay: each library for datagrams with a reliable delivery, raw datagrams, and TCP. Not part of the
    /// whole.
    /// </summary>
    Loss,

    /// <summary>Benchmark 1, 2 and 3 with the libraries' defaults, for about two minutes.</summary>
    Quick,
}

internal static class SuiteParts
{
    public static IReadOnlyList<string> Names { get; } = [.. Enum.GetValues<SuitePart>().Where(part => part != SuitePart.All).Select(NameOf)];

    public static SuitePart Parse(string option, string text)
    {
        string name = OptionValues.Choice(option, text, [.. Enum.GetValues<SuitePart>().Select(NameOf)]);
        return Enum.GetValues<SuitePart>().First(part => NameOf(part) == name);
    }

    public static string Suffix(this SuitePart part) => part == SuitePart.All ? string.Empty : $"={NameOf(part)}";

    private static string NameOf(SuitePart part) => part == SuitePart.TlsMatrix ? "tls-matrix" : part.ToString().ToLowerInvariant();
}
