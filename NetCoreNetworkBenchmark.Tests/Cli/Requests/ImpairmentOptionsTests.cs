namespace NetCoreNetworkBenchmark.Tests.Cli.Requests;

public sealed class ImpairmentOptionsTests
{
    [Theory, InlineData("--delay 5ms/1ms --loss 1% --bandwidth 1mbit/10mbit"), InlineData("--bandwidth 1mbit/10mbit --loss 1% --delay 5ms/1ms")]
    public void Two_values_are_for_the_two_directions(string arguments)
    {
        ImpairmentPlan plan = Read(arguments);
        ImpairmentPlan toClients = plan.ToClients!;
        Assert.Equal((5, 0.01, 1_000_000), (plan.Delay.TotalMilliseconds, plan.Loss, plan.BandwidthBitsPerSecond));
        Assert.Equal((1, 0.01, 10_000_000), (toClients.Delay.TotalMilliseconds, toClients.Loss, toClients.BandwidthBitsPerSecond));
        Assert.Equal(
            ["delay 5ms/1ms to the server/to the clients", "loss 1% each way", "bandwidth 1000kbit/10000kbit to the server/to the clients"],
            ImpairmentOptions.Describe(plan));
    }

    [Theory, InlineData("--loss 0%/1%", "0%/1%"), InlineData("--loss 1%/1%", "1%"), InlineData("--loss 1%/2% --loss 3%", "3%")]
    public void The_command_has_two_values_only_if_they_differ(string arguments, string text) =>
        Assert.Equal(text, ImpairmentOptions.Arguments(Read(arguments))["--loss"]);

    [Theory]
    [InlineData("--loss 1%/2%/3%", "--loss: \"1%/2%/3%\" is not a percentage from 0% to 100%, such as 1% or 0.5%.")]
    [InlineData("--reorder 1%/2%", "--reorder: \"1%/2%\" is not a percentage from 0% to 100%, such as 1% or 0.5%.")]
    [InlineData(
        "--network 6g",
        "--network: \"6g\" is not one of lan, wifi, wifi-busy, 4g, 4g-poor, 5g, satellite, ocean, ocean-far, bufferbloat. Did you mean \"4g\"?")]
    [InlineData("--loss 80% --loss-burst 2", "--loss-burst: \"2\" is not a number from 4 to 1,000.")]
    [InlineData("--loss-burst 2", "--loss-burst requires --loss.")]
    [InlineData("--queue 5ms", "--queue requires --bandwidth.")]
    public void A_wrong_value_is_one_sentence(string arguments, string sentence) => BadInput.Throws(sentence, () => Read(arguments));

    [Fact]
    public void Options_change_parts_of_a_network()
    {
        ImpairmentPlan plan = Read("--network 4g --delay 5ms --seed 9");
        Assert.Equal(("4g", 5, 20, 0.04, 9), (plan.Network, plan.Delay.TotalMilliseconds, plan.Jitter.TotalMilliseconds, plan.Loss, plan.Seed));
    }

    [Fact]
    public void The_arguments_of_every_network_give_the_same_plan() => Assert.All(NetworkProfile.All, profile =>
    {
        ImpairmentPlan plan = Read($"--network {profile.Name}");
        Assert.Equal(plan, Read(string.Join(' ', ImpairmentOptions.Arguments(plan).Select(argument => $"{argument.Key} {argument.Value}"))));
    });

    // In the order in which the options are declared, as the command line does.
    private static ImpairmentPlan Read(string arguments)
    {
        ILookup<string, string> values = arguments.Split(' ').Chunk(2).ToLookup(pair => pair[0], pair => pair[1]);
        return PlanOptions.Read(ImpairmentOptions.All, option => values.Contains(option.Name) ? [.. values[option.Name]] : null).Impairment;
    }
}
