using System.Globalization;
using System.Security.Cryptography;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Outcome;

/// <summary>The values that a result reports for a stream, and for TLS on it; null for datagrams.</summary>
internal static class StreamFacts
{
    /// <summary>The division of the stream into messages.</summary>
    public static string? FramingOf(RunPlan plan) => plan.Protocol.IsStream() ? plan.Framing.ToString() : null;

    /// <summary>Whether sockets send without delay (<c>TCP_NODELAY</c>). Every adapter ensures this on both sides of a connection over TCP.</summary>
    public static bool? NoDelayOf(RunPlan plan) => plan.Protocol.IsOverTcp() ? true : null;

    /// <summary>The library that drives the clients.</summary>
    public static string? ClientLibraryOf(RunPlan plan) => plan.Protocol.IsStream() ? plan.ForClients().Library : null;

    /// <summary>The TLS facts that both sides reported.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="clients">The clients' handshakes.</param>
    /// <param name="server">The server's report; null if it reported nothing.</param>
    public static TlsResult? TlsOf(RunPlan plan, IReadOnlyList<TlsHandshakes> clients, ServerReport? server) => plan.Protocol.HasTls()
        ? new TlsResult(
            server?.Key ?? (clients is [var most, ..] ? most.Key : null), plan.Tls.Mutual, clients, server?.Handshakes,
            plan.Protocol == Protocol.Quic ? null : OpenSslVersion())
        : null;

    /// <summary>Returns the faults of a run whose handshakes were not as requested.</summary>
    public static IEnumerable<string> FindFaults(RunPlan plan, RunResult result)
    {
        foreach (TlsHandshakes made in result.Tls?.Clients ?? [])
        {
            string count = made.Count.ToString("N0", CultureInfo.InvariantCulture);
            if (plan.Tls.Version is { } version && made.Version != version)
            {
                yield return $"{count} handshakes used TLS {made.Version} instead of {version}.";
            }

            if (plan.Tls.Group is { } group && made.Resumed != true && !group.Equals(made.Group, StringComparison.OrdinalIgnoreCase))
            {
                yield return made.Group is { } other
                    ? $"{count} handshakes used the group {other} instead of {group}."
                    : $"The clients of {result.ClientLibrary} cannot choose or report the group of a handshake, and --group {group} requires it.";
            }

            if (plan.Tls.Key is { } asked && made.Key is { } key && key != $"{asked}")
            {
                yield return $"{count} handshakes used a certificate with the key {key} instead of {asked}.";
            }
        }
    }

    // OPENSSL_VERSION_NUMBER: 0xMNN00PP0 from OpenSSL 3.0 on, 0xMNNFFPPS before, where PP is a letter.
    private static string? OpenSslVersion()
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsFreeBSD())
        {
            return null;
        }

        long number = SafeEvpPKeyHandle.OpenSslVersion;
        (long major, long minor, long fix, long patch) = (number >> 28, (number >> 20) & 0xFF, (number >> 12) & 0xFF, (number >> 4) & 0xFF);
        return major >= 3
            ? FormattableString.Invariant($"{major}.{minor}.{patch}")
            : FormattableString.Invariant($"{major}.{minor}.{fix}{(patch == 0 ? string.Empty : (char)('a' + patch - 1))}");
    }
}
