using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Lines about streams: the framing, the library that drove the clients, and TLS. Empty for datagrams.</summary>
internal static class StreamLines
{
    private const string OneSize = "Fixed";
    private const string Checked = "Checked";
    private const string Http = "Http";

    /// <summary>Returns the framing of the stream, which follows transport and delivery.</summary>
    public static string Framing(string? framing) => framing switch
    {
        null => string.Empty,
        OneSize => ", messages of one size",
        Checked => ", length, type and check code before each message",
        Http => ", one request of HTTP/1.1 on each connection",
        _ => ", a length before each message",
    };

    /// <summary>
    /// Returns the transport and the clients of a benchmark's cases, which follow their load. The clients are included only if they were the same for
    /// all of several servers.
    /// </summary>
    public static string Load(IEnumerable<RunResult> cases)
    {
        RunResult[] all = [.. cases];
        RunResult[] streams = [.. all.Where(found => found.Framing is not null)];
        string protocol = all.Length == 0 ? string.Empty : $", {NameOf(all[0].Protocol)}";
        return $"{protocol}{(streams.Length > 0 && DriverOf(streams) is { } driver ? $", clients of {driver}" : string.Empty)}";
    }

    /// <summary>Returns the usual name of a protocol, such as TLS.</summary>
    public static string NameOf(string protocol) => protocol == "Ssl" ? "TLS" : protocol.ToUpperInvariant();

    /// <summary>Returns the library whose clients drove all of several servers; null if there was no such library.</summary>
    public static string? DriverOf(IReadOnlyCollection<RunResult> cases)
    {
        string?[] drivers = [.. cases.Select(found => found.ClientLibrary).Distinct()];
        return drivers.Length == 1 && cases.Any(found => found.Library != drivers[0]) ? drivers[0] : null;
    }

    /// <summary>Returns the library that drove the clients, and TLS, one line each.</summary>
    public static IEnumerable<string> Of(RunResult result) => result.ClientLibrary is null
        ? OfTls(result.Tls)
        : OfTls(result.Tls).Prepend($"Clients: {result.ClientLibrary} {result.ClientLibraryVersion}");

    /// <summary>
    /// Returns TLS, with one line for the negotiated parameters of each side. The server's line is included only if it differs from the clients' line
    /// or if there are no clients.
    /// </summary>
    public static IEnumerable<string> OfTls(TlsResult? tls)
    {
        if (tls is null)
        {
            yield break;
        }

        string key = tls.Key is null ? "key not told" : $"key {tls.Key}";
        string openSsl = tls.OpenSslVersion is null ? string.Empty : $", OpenSSL {tls.OpenSslVersion}";
        yield return $"TLS: {key}{(tls.Mutual ? ", mutual" : string.Empty)}{openSsl}";
        if (tls.Clients.Count > 0)
        {
            yield return $"TLS handshakes: {Handshakes(tls.Clients)}";
        }

        if (tls.Server is { Count: > 0 } server && !server.SequenceEqual(tls.Clients))
        {
            yield return $"TLS handshakes as the server counts them: {Handshakes(server)}";
        }
    }

    private static string Handshakes(IEnumerable<TlsHandshakes> handshakes) => string.Join("; ", handshakes.Select(agreed => Invariant(
        $"{agreed.Count:N0} of {agreed.Version}, {agreed.Cipher}{(agreed.Group is null ? string.Empty : $", {agreed.Group}")}{Resumption(agreed)}")));

    private static string Resumption(TlsHandshakes agreed) => agreed switch
    {
        { Resumed: true, ResumedBy: { } how } => $", resumed by {how}",
        { Resumed: true } => ", resumed",
        { Resumed: false, Tickets: > 0 and var tickets } => Invariant($", not resumed, {tickets} {(tickets == 1 ? "ticket" : "tickets")} each"),
        { Resumed: false } => ", not resumed",
        _ => string.Empty,
    };
}
