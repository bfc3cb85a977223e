using NetCoreNetworkBenchmark.Running.Discovery;

namespace NetCoreNetworkBenchmark.Running.Suites;

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

internal enum SuitePart
{
    All,

    Udp,

    Tcp,

    Ssl,

    /// <summary>With keys of two kinds, at the server of every library. Not part of the whole.</summary>
    Tls,

    /// <summary>At the server of one library, which the user chooses. Not part of the whole.</summary>
    TlsMatrix,

    /// <summary>The loads of the reference benchmark for framed messages. Not part of the whole.</summary>
    Framed,

    /// <summary>Reliable against unreliable delivery under loss and delay. Not part of the whole.</summary>
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
