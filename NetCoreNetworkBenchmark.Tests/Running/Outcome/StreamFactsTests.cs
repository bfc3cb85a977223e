using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.Running.Outcome;

public sealed class StreamFactsTests
{
    private static readonly TlsHandshakes s_full = new("1.3", "TLS_AES_256_GCM_SHA384", "x25519", Resumed: false, 50) { Key = "Rsa2048" };

    [Theory]
    [InlineData("x25519", null)]
    [InlineData("secp384r1", "50 handshakes used the group secp384r1 instead of x25519.")]
    [InlineData(null, "The clients of Sockets cannot choose or report the group of a handshake, and --group x25519 requires it.")]
    public void FindFaults_names_another_group_than_the_one_asked_for(string? group, string? fault)
    {
        RunResult result = ResultOf(s_full with { Group = group }, new TlsPlan { Group = "x25519" });
        Assert.Equal(fault is null ? [] : [fault], StreamFacts.FindFaults(result));
    }

    [Theory]
    [InlineData(null, null)]
    [InlineData(TlsKey.Rsa2048, null)]
    [InlineData(TlsKey.P256, "50 handshakes used a certificate with the key Rsa2048 instead of P256.")]
    public void FindFaults_names_another_key_than_the_one_asked_for_at_any_server(TlsKey? key, string? fault)
    {
        foreach (string? authority in (string?[])[null, "authority.crt"])
        {
            RunResult result = ResultOf(s_full, new TlsPlan { Key = key, AuthorityFile = authority });
            Assert.Equal(fault is null ? [] : [fault], StreamFacts.FindFaults(result));
        }
    }

    private static RunResult ResultOf(TlsHandshakes handshakes, TlsPlan tls) => SampleResults.Stream
        .WithPlan(plan => plan with { ClientLibrary = "Sockets", Tls = tls })
        .WithClients(clients => clients with { Handshakes = [handshakes] });
}
