namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>The part of the predefined benchmark that runs (<c>-b=PART</c>).</summary>
internal enum SuitePart
{
    All,

    /// <summary>Benchmark 1, 2 and 3, round trip and multicast over UDP.</summary>
    Udp,

    /// <summary>Round trip and multicast over TCP.</summary>
    Tcp,

    /// <summary>Round trip and multicast over TLS.</summary>
    Ssl,

    /// <summary>TLS handshakes with keys of two kinds, at the server of every library in every architecture. Not part of the whole.</summary>
    Tls,

    /// <summary>
    /// TLS handshakes at the server of one library, which the user chooses: two keys, two versions, with and without resumption, three groups. Not part of
    /// the whole.
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

    /// <summary>Returns what follows <c>--benchmark</c>: nothing for the whole.</summary>
    public static string Suffix(this SuitePart part) => part == SuitePart.All ? string.Empty : $"={NameOf(part)}";

    private static string NameOf(SuitePart part) => part == SuitePart.TlsMatrix ? "tls-matrix" : part.ToString().ToLowerInvariant();
}
