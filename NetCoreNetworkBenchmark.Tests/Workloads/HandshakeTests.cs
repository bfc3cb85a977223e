using NetCoreNetworkBenchmark.Workloads.Handshakes;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

public sealed class HandshakeTests
{
    private static readonly TlsHandshakes s_full = new("1.3", "TLS_AES_256_GCM_SHA384", "x25519", Resumed: false, 50) { Key = "Rsa2048" };

    [Theory, InlineData(TlsPlan.BySession, TlsPlan.ByTicket), InlineData(TlsPlan.ByTicket, TlsPlan.BySession)]
    public void FindFaults_names_a_session_that_was_resumed_by_other_means_than_requested(string requested, string how)
    {
        TlsHandshakes resumed = s_full with { Resumed = true, ResumedBy = how, Count = 7 };
        string fault = Assert.Single(FaultsOf(new TlsPlan { Resumption = requested }, resumed));
        Assert.StartsWith($"7 handshakes resumed a session by {how} instead of {requested}, which ", fault, StringComparison.Ordinal);
        Assert.Empty(FaultsOf(new TlsPlan { Resumption = how }, resumed));
    }

    private static IEnumerable<string> FaultsOf(TlsPlan tls, TlsHandshakes handshakes) => new Handshake().FindFaults(
        new RunPlan { Library = "Sockets", Tls = tls },
        new LoadOutcome { Server = "the server", Handshakes = [handshakes] });
}
