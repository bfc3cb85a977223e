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
}
