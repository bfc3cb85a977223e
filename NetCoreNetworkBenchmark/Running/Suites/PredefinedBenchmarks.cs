using NetCoreNetworkBenchmark.Running.Discovery;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>What the runner adds to the parts of the predefined benchmark (<c>-b</c>): templates, and the libraries that take part.</summary>
internal static class PredefinedBenchmarks
{
    public const string Whole = "all";

    /// <summary>The time of all slices of a case in a set, in the original's benchmarks. The load settles and drains in it.</summary>
    public static readonly TimeSpan Duration = TimeSpan.FromSeconds(2.5);

    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_briefWarmUp = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan s_brief = TimeSpan.FromSeconds(2);

    extension(IBenchmarkPart part)
    {
        public bool HasBaseline => part.HasSlices && part.OnlyLibrary is null;

        /// <summary>What follows <c>-b</c> on the command line.</summary>
        public string Suffix => part.Name == Whole ? string.Empty : $"={part.Name}";

        /// <param name="duration">Of a case's slices in a set of the original's benchmarks; the others have 2 s at most. No warm-up is longer.</param>
        /// <exception cref="BenchmarkException">The part, which may be of a loaded assembly, has no load, or a test that cannot be found.</exception>
        public IReadOnlyList<Benchmark> Create(
            TimeSpan duration, bool anyMachine, IReadOnlyCollection<IWorkload> tests, IReadOnlyList<string>? networks = null)
        {
            var template = new RunPlan { Library = string.Empty, MessageSize = 32, AnyMachine = anyMachine };
            TimeSpan Within(TimeSpan time) => time < duration ? time : duration;
            var templates = new PartTemplates(
                template with { WarmUp = Within(s_warmUp), Duration = duration },
                template with { WarmUp = Within(s_briefWarmUp), Duration = Within(s_brief) },
                networks ?? [],
                tests.ToDictionary(test => test.Name, StringComparer.OrdinalIgnoreCase));
            Benchmark[] benchmarks =
                [.. part.Create(templates).Select(load => load with { Template = load.Template with { Test = load.Workload.Name } })];
            return benchmarks.Length == 0
                ? throw BenchmarkException.BadInput($"The part {part.Name} of the benchmark has no load. Use another part.")
                : benchmarks.FirstOrDefault(load => !templates.Tests.ContainsKey(load.Workload.Name)) is { } unknown
                ? throw BenchmarkException.BadInput(
                    $"The part {part.Name} of the benchmark has the test {unknown.Workload.Name}, which is not among those of this program. " +
                        "Make it a public class of an assembly that is loaded.")
                : benchmarks;
        }

        public (IReadOnlyList<LibraryInfo> Libraries, IReadOnlyList<MissingLibrary> Missing) ChooseLibraries(Catalog catalog)
        {
            LibraryInfo[] wanted = [.. catalog.Infos.Where(info => part.IsOfConnections || info.CarriesMessages)];
            return (
                [.. wanted.Where(info => info.Unavailable is null)],
                [
                    .. catalog.NotInBuild,
                    .. wanted.Where(info => info.Unavailable is not null).Select(info => new MissingLibrary(info.Name, info.Unavailable!)),
                ]);
        }
    }

    /// <param name="fastest">The library whose clients are the fastest over this transport; null if each library has to use its own.</param>
    public static bool Supports(this Benchmark benchmark, LibraryInfo library, LibraryInfo? fastest)
    {
        RunPlan plan = benchmark.Template;
        return benchmark.Condition(library)
            && library.Protocols.Contains(plan.Protocol)
            && (benchmark.Workload is IConnectionWorkload
                || (library.CarriesMessages && (!plan.Protocol.IsStream() || library.Framings.Contains(plan.Framing))))
            && (benchmark.Workload.LatencyKind != LatencyKind.OneWay || library.ServerPushTransports.Contains(plan.Protocol))
            && (benchmark.OwnClients ? library.HasClients && fastest is not null && library.Name != fastest.Name
                : fastest is null ? library.HasClients
                : library.HasFormatOf(fastest, plan.Protocol) || (library.HasClients && !plan.Protocol.IsStream()));
    }
}
