namespace NetCoreNetworkBenchmark.Tests.Cli.Requests;

public sealed class CliRequestTests
{
    [Theory]
    [InlineData("-b", "-b --continue")]
    [InlineData("-b -l ENet,Sockets --continue --any-machine", "-b -l ENet,Sockets --any-machine --continue")]
    [InlineData("-l Sockets -c 1,2 -p 0 -o out --force", "-l Sockets -c 1,2 -p 0 -o out --continue")]
    [InlineData("-l Sockets --launches=3 -o out --force:true --json", "-l Sockets --launches=3 -o out --json --continue")]
    public void The_command_to_continue_has_what_was_typed_and_no_defaults(string typed, string command)
    {
        var request = new CliRequest { BenchmarkPart = new AllPart(), Action = CliAction.Run, Plan = PlanOption.DefaultPlan, Arguments = typed.Split(' ') };
        Assert.Equal($"{ProgramName.Typed} {command}", request.CommandToContinue);
    }
}
