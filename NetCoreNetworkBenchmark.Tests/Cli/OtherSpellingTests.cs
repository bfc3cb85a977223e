namespace NetCoreNetworkBenchmark.Tests.Cli;

/// <summary>Values that are written in more than one way, and the command that a result has for them.</summary>
public sealed class OtherSpellingTests
{
    [Theory, InlineData("-d 1s --warmup 500ms", 1, 0.5), InlineData("-d 90m --warmup 2m", 5_400, 120), InlineData("-d 2.5 --warmup 0", 2.5, 0)]
    public void A_duration_has_its_unit_or_is_in_seconds(string line, double duration, double warmUp)
    {
        RunPlan plan = CommandLineTests.Read(line).Plan;
        Assert.Equal((duration, warmUp), (plan.Duration.TotalSeconds, plan.WarmUp.TotalSeconds));
        Assert.Equal(duration, CommandLineTests.Read($"-l ENet,LiteNetLib --time {line.Split(' ')[1]}").BenchmarkTime!.Value.TotalSeconds);
    }

    [Theory]
    [InlineData("-P Tls", "-P Ssl")]
    [InlineData("-P Tcp,tls", "-P Tcp,Ssl")]
    [InlineData("-c 3 --rate-per-client 0.1 --arrivals Poisson", "-c 3 --rate 0.3 --arrivals Poisson")]
    [InlineData("-c 50,60 --rate-per-client 30 --any-machine", "-c 50,60 --rate-per-client 30 --any-machine")]
    [InlineData("-c 50 --rate-per-client 30,40", "-c 50 --rate 1500,2000")]
    [InlineData("--rtt 60ms --loss 1%", "--delay 30ms --loss 1%")]
    [InlineData("--rtt 20ms,60ms", "--delay 10ms,30ms")]
    public void A_value_may_be_written_in_another_way(string line, string other) =>
        Assert.Equal(CommandLineTests.Read(other).Plans, CommandLineTests.Read(line).Plans);

    [Theory]
    [InlineData("-c 50,60 --rate-per-client 30"), InlineData("-c 50 --rate-per-client 30,40"), InlineData("-c 50 --rtt 20ms,60ms")]
    [InlineData("-c 50,60 --rate 3000 --rtt 20ms"), InlineData("--loss 0%,1%"), InlineData("--delay 0ms,5ms --rate 1000,2000")]
    public void The_command_of_compared_plans_requests_the_same_plans(string line)
    {
        CliRequest request = CommandLineTests.Read(line);
        LibraryInfo library = LibraryUnderTest.Create("Sockets").Info;
        IReadOnlyList<string> arguments = PlanArguments.OfAll(
            [.. request.Plans.Select(plan => (plan, library, (IWorkload)new PingPong()))], [.. request.Varied.Select(option => option.Name)]);
        Assert.Equal(request.Plans, CommandLineTests.Read(arguments).Plans);
    }

    [Theory, InlineData("--live json", null), InlineData("--live json:live.jsonl", "live.jsonl"), InlineData("--live=JSON:/dev/fd/3", "/dev/fd/3")]
    public void Live_figures_go_to_standard_error_or_to_a_file(string line, string? file)
    {
        CliRequest request = CommandLineTests.Read(line);
        Assert.Equal((true, file), (request.Live, request.LiveFile));
    }
}
