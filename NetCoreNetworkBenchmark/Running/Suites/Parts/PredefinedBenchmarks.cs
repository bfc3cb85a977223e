using NetCoreNetworkBenchmark.Running.Discovery;

namespace NetCoreNetworkBenchmark.Running.Suites.Parts;

/// <summary><c>-b</c>: the benchmarks of the original harness, which its published results belong to, and NetCoreServer's matrix.</summary>
internal static class PredefinedBenchmarks
{
    public const int Sets = 3;

    /// <summary>The time of all slices of a case in a set, in the original's benchmarks. The load settles and drains in it.</summary>
    public static readonly TimeSpan Duration = TimeSpan.FromSeconds(2.5);

    public static readonly BenchmarkPart Udp = new(
        "udp",
        templates => [.. OriginalBenchmarks.Create(templates.Original, templates), .. MatrixBenchmarks.Create(templates, Protocol.Udp)]);

    public static readonly BenchmarkPart Tcp = new("tcp", templates => MatrixBenchmarks.Create(templates, Protocol.Tcp));

    public static readonly BenchmarkPart Whole = new(
        BenchmarkPart.Whole,
        templates =>
        [
            .. OriginalBenchmarks.Create(templates.Original, templates),
            .. ((Protocol[])[Protocol.Tcp, Protocol.Ssl, Protocol.Udp]).SelectMany(protocol => MatrixBenchmarks.Create(templates, protocol)),
        ]);

    public static readonly IReadOnlyList<BenchmarkPart> Parts =
    [
        Whole,
        Udp,
        Tcp,
        new BenchmarkPart("ssl", templates => MatrixBenchmarks.Create(templates, Protocol.Ssl)),
        HandshakeBenchmarks.OfLibraries,
        HandshakeBenchmarks.OfSettings,
        FramedBenchmarks.Part,
        NetworkBenchmarks.Part,
        ChannelBenchmarks.Part,
        QueueBenchmarks.Part,
        RoamingBenchmarks.Part,
        OriginalBenchmarks.FirstLook,
    ];

    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_briefWarmUp = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan s_brief = TimeSpan.FromSeconds(2);

    public static IReadOnlyList<string> NamesOfParts { get; } = [.. Parts.Where(part => part != Whole).Select(part => part.Name)];

    public static BenchmarkPart Parse(string option, string text)
    {
        string name = OptionValues.Choice(option, text, [.. Parts.Select(part => part.Name)]);
        return Parts.First(part => part.Name == name);
    }

    /// <param name="duration">Of a case's slices in a set of the original's benchmarks; the others have 2 s at most. No warm-up is longer.</param>
    public static IReadOnlyList<Benchmark> Create(
        BenchmarkPart part,
        TimeSpan duration,
        bool anyMachine,
        IReadOnlyCollection<IWorkload> workloads,
        IReadOnlyList<string>? networks = null)
    {
        var template = new RunPlan { Library = string.Empty, MessageSize = 32, AnyMachine = anyMachine };
        TimeSpan Within(TimeSpan time) => time < duration ? time : duration;
        return
        [
            .. part.Create(new PartTemplates(
                template with { WarmUp = Within(s_warmUp), Duration = duration },
                template with { WarmUp = Within(s_briefWarmUp), Duration = Within(s_brief) },
                workloads,
                networks ?? [])),
        ];
    }

    public static (IReadOnlyList<LibraryInfo> Libraries, IReadOnlyList<MissingLibrary> Missing) ChooseLibraries(Catalog catalog, BenchmarkPart part)
    {
        LibraryInfo[] wanted =
        [
            .. catalog.Libraries.Select(name => catalog.CreateLibrary(name)!.Info).Where(info => part.IsOfConnections || info.CarriesMessages),
        ];
        return (
            [.. wanted.Where(info => info.Unavailable is null)],
            [
                .. catalog.NotInBuild,
                .. wanted.Where(info => info.Unavailable is not null).Select(info => new MissingLibrary(info.Name, info.Unavailable!)),
            ]);
    }
}
