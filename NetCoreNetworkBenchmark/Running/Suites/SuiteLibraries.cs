using NetCoreNetworkBenchmark.Running.Discovery;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>Selects the libraries that the predefined benchmark runs, with the reasons why others are left out.</summary>
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
