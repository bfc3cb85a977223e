using NetCoreNetworkBenchmark.Tests.Hostile;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>So many clients that stall in their handshake that no other test could run beside them.</summary>
[Collection(nameof(TortureTests))]
[Trait("Category", "Long")]
public sealed class StalledCrowdTests
{
    // A thousand threads and the accept queue take five thousand connections at once. More of them would wait to connect.
    [Theory, InlineData("reactor", 10_000, true), InlineData("workers", 10_000, true), InlineData("threads", 5_000, false)]
    public Task Thousands_of_clients_that_stall_starve_no_event_loop(string architecture, int stalled, bool serves) =>
        HandshakeFaultTests.AssertServesBesideStalledAsync(architecture, stalled, serves);
}
