using NetCoreNetworkBenchmark.Options;

namespace NetCoreNetworkBenchmark.Tests.Plans;

public sealed class HostsPlanTests
{
    [Theory]
    [InlineData("a,b,c", 1_000, new[] { 334, 333, 333 })]
    [InlineData("a,b,c", 2, new[] { 1, 1, 0 })]
    [InlineData("a=600,b=400", 1_000, new[] { 600, 400 })]
    [InlineData("a=600,b=400", 10, new[] { 6, 4 })]
    [InlineData("a=1000000,b=1000000", 999_999, new[] { 500_000, 499_999 })]
    [InlineData("a=3,b=1", 7, new[] { 5, 2 })]
    public void Divide_gives_each_host_its_share_of_the_clients(string hosts, int clients, int[] expected) =>
        Assert.Equal(expected, PlanOf("--client-hosts", hosts).Hosts.Divide(clients));

    [Theory]
    [InlineData("--client-hosts", "a,b")]
    [InlineData("--client-hosts", "me@a=2,10.0.0.5=1")]
    [InlineData("--server-host", "user@node1.example")]
    [InlineData("--launcher", "slurm")]
    public void A_value_is_printed_as_it_was_given(string option, string text) =>
        Assert.Equal([option, text], OptionNamed(option).ArgumentsOf(PlanOf(option, text)));

    [Theory]
    [InlineData("--server-host", "-oProxyCommand=x", "is not a host name or address")]
    [InlineData("--server-host", "a b", "is not a host name or address")]
    [InlineData("--server-host", "a;b", "is not a host name or address")]
    [InlineData("--server-host", "", "is not a host name or address")]
    [InlineData("--client-hosts", "a,,b", "is not a host name or address")]
    [InlineData("--client-hosts", "a,b,a", "\"a\" is named twice. Name each host once, such as a=2,b=1.")]
    [InlineData("--client-hosts", "a=0", "whole number")]
    [InlineData("--launcher", "rsh", "ssh, slurm")]
    public void A_wrong_value_is_refused_with_a_sentence(string option, string text, string part)
    {
        var refused = Assert.Throws<BenchmarkException>(() => PlanOf(option, text));
        Assert.True(refused.IsBadInput);
        Assert.StartsWith($"{option}: ", refused.Message, StringComparison.Ordinal);
        Assert.Contains(part, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void All_has_each_host_once() => Assert.Equal(["b", "a"], (PlanOf("--client-hosts", "a,b").Hosts with { ServerHost = "b" }).All);

    private static RunPlan PlanOf(string option, string text) => OptionNamed(option).Apply(PlanOption.DefaultPlan, text);

    private static PlanOption OptionNamed(string name) => HostOptions.All.Single(option => option.Name == name);
}
