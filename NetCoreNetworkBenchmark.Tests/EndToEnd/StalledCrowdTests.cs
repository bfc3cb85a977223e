using NetCoreNetworkBenchmark.Tests.Hostile;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>So many clients that stall in their handshake that no other test could run beside them.</summary>
[Collection(nameof(TortureTests))]
[Trait("Category", "Long")]
public sealed class StalledCrowdTests
{
    [Theory]
    [InlineData("reactor", true)]
    [InlineData("workers", true)]
    [InlineData("threads", false)]
    public Task Ten_thousand_clients_that_stall_starve_no_event_loop(string architecture, bool serves) =>
        HandshakeFaultTests.AssertServesBesideStalledAsync(architecture, 10_000, serves);
}
