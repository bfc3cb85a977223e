using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>Which libraries the predefined benchmark runs, and why it leaves others out.</summary>
internal static class SuiteLibraries
{
    public static (IReadOnlyList<LibraryInfo> Libraries, IReadOnlyList<MissingLibrary> Missing) Choose(Catalog catalog)
    {
        LibraryInfo[] wanted = [.. catalog.Libraries.Select(name => catalog.CreateLibrary(name)!.Info).Where(info => !info.OnlyWhenAsked)];
        return (
            [.. wanted.Where(info => info.Unavailable is null)],
            [
                .. catalog.NotInBuild,
                .. wanted.Where(info => info.Unavailable is not null).Select(info => new MissingLibrary(info.Name, info.Unavailable!)),
            ]);
    }

    /// <summary>Every benchmark for every library that has its transport.</summary>
    public static IReadOnlyList<SuiteCase> Cases(IReadOnlyList<Benchmark> benchmarks, IReadOnlyList<LibraryInfo> libraries) =>
        [.. from benchmark in benchmarks
            from library in libraries
            where library.Protocols.Contains(benchmark.Template.Protocol)
            select new SuiteCase(benchmark.Title, benchmark.Template with { Library = library.Name }, library)];
}
