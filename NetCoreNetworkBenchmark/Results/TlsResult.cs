namespace NetCoreNetworkBenchmark.Results;

/// <summary>The TLS facts of a run, read from its connections and not from the request.</summary>
/// <param name="Key">The key type of the server's certificate, such as <c>Rsa2048</c> or <c>P256</c>; null if neither side reported it.</param>
/// <param name="Mutual">Whether clients had to show a certificate too.</param>
/// <param name="Clients">The handshakes that the clients read from their connections; empty for a server by itself.</param>
/// <param name="Server">The handshakes that the server read from its own connections, of its whole life so far; null if it did not report them.</param>
/// <param name="OpenSslVersion">The version of the OpenSSL that .NET uses; null on systems on which it uses another library.</param>
public sealed record TlsResult(string? Key, bool Mutual, IReadOnlyList<TlsHandshakes> Clients, IReadOnlyList<TlsHandshakes>? Server, string? OpenSslVersion)
{
    /// <summary>Returns the TLS facts that both sides reported.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="clients">The clients' handshakes.</param>
    /// <param name="server">The server's report; null if it did not report.</param>
    /// <param name="environment">The machine and the runtime.</param>
    /// <returns>The facts; null if the plan has no TLS.</returns>
    public static TlsResult? Of(RunPlan plan, IReadOnlyList<TlsHandshakes> clients, ServerReport? server, EnvironmentInfo environment) => plan.Protocol.HasTls()
        ? new TlsResult(
            server?.Key ?? (clients is [var most, ..] ? most.Key : null), plan.Tls.Mutual, clients, server?.Handshakes, environment.OpenSslVersion)
        : null;
}
