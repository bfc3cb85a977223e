using System.Security.Cryptography;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Running.Outcome;

internal static class StreamFacts
{
    public static string? OpenSslVersionOf(RunPlan plan) => plan.Protocol.HasTls() && plan.Protocol != Protocol.Quic ? OpenSslVersion() : null;

    public static IEnumerable<string> FindFaults(RunResult result)
    {
        RunPlan plan = result.Plan;
        foreach (NegotiatedTls made in result.Tls?.Clients ?? [])
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
            ? Invariant($"{major}.{minor}.{patch}")
            : Invariant($"{major}.{minor}.{fix}{(patch == 0 ? string.Empty : (char)('a' + patch - 1))}");
    }
}
