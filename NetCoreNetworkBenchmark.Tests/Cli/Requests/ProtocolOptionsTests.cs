using NetCoreNetworkBenchmark.Running.Paths;

namespace NetCoreNetworkBenchmark.Tests.Cli.Requests;

/// <summary>Values of options that a transport rejects.</summary>
public sealed class ProtocolOptionsTests
{
    [Theory]
    [InlineData("--loss", "10%"), InlineData("--duplicate", "10%"), InlineData("--reorder", "10%"), InlineData("--corrupt", "10%")]
    [InlineData("--outage", "1ms/2ms", null), InlineData("--delay", "5ms", "0ms"), InlineData("--jitter", "1ms", "0ms"), InlineData("--stall", "1ms/2ms", null)]
    [InlineData("--bandwidth", "1mbit", null)]
    public void An_impairment_of_packets_requires_a_path_under_TCP_alone(string option, string value, string? zero = "0%")
    {
        Assert.True(NamespacePath.IsRequired(Apply(Protocol.Tcp, option, value)));
        Assert.False(zero is not null && NamespacePath.IsRequired(Apply(Protocol.Tcp, option, zero)));
        Assert.False(NamespacePath.IsRequired(Apply(Protocol.Udp, option, value)));
        Assert.False(NamespacePath.IsRequired(Apply(Protocol.Quic, option, value)));
    }

    [Theory, InlineData(Protocol.Udp), InlineData(Protocol.Tcp), InlineData(Protocol.Quic)]
    public void A_neighbour_requires_a_path_under_every_protocol(Protocol protocol) =>
        Assert.True(NamespacePath.IsRequired(Apply(protocol, "--neighbour", "max")));

    [Fact]
    public void A_cut_requires_no_path() => Assert.False(NamespacePath.IsRequired(Apply(Protocol.Tcp, "--cut", "1ms/2ms")));

    [Theory, InlineData(Protocol.Udp), InlineData(Protocol.Quic)]
    public void Apply_rejects_a_cut_without_connections_of_TCP(Protocol protocol) => Rejects(
        protocol, "--cut", "1ms/2ms",
        $"--cut: not applicable to {protocol.Name()}, because its connections are not those of TCP. Use -P Tcp or Tls.");

    [Theory, InlineData(Protocol.Tcp), InlineData(Protocol.Ssl)]
    public void Apply_rejects_a_roam_of_connections_of_TCP(Protocol protocol)
    {
        Assert.Equal(TimeSpan.FromSeconds(5), Apply(Protocol.Quic, "--roam", "5s").Impairment.Roam);
        Rejects(
            protocol, "--roam", "5s",
            $"--roam: not applicable to {protocol.Name()}, because a connection of TCP ends with its address. Use -P Udp or Quic, or --cut.");
    }

    [Fact]
    public void Apply_rejects_another_version_of_TLS_than_that_of_QUIC()
    {
        Assert.Equal("1.3", Apply(Protocol.Quic, "--tls", "1.3").Tls.Version);
        Rejects(Protocol.Quic, "--tls", "1.2", "--tls: QUIC requires TLS 1.3. Use 1.3.");
    }

    private static RunPlan Apply(Protocol protocol, string option, string value) =>
        PlanOptions.All.Single(described => described.Name == option).Apply(PlanOption.DefaultPlan with { Protocol = protocol }, value);

    private static void Rejects(Protocol protocol, string option, string value, string sentence) =>
        BadInput.Throws(sentence, () => Apply(protocol, option, value));
}
