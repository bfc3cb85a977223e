namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

public sealed class CommandRunTests
{
    private const string Outlived = "echo out; echo err >&2; sleep 60 & exit 3";

    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task RunAsync_returns_the_result_of_a_command_whose_child_keeps_the_output_open()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The child ends with its shell's session on Linux.");
        CommandRun run = await CommandRun.RunAsync(
            new ProcessStartInfo("/bin/sh", ["-c", Outlived]), input: null, s_deadline, TestContext.Current.CancellationToken);
        Assert.Equal(new CommandRun(3, "out\n", "err\n"), run);
    }

    [Fact]
    public async Task RunAsync_returns_all_output_of_a_command_that_prints_much()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "A command of Linux.");
        CommandRun run = await CommandRun.RunAsync(
            new ProcessStartInfo("/bin/sh", ["-c", "seq 1 100000"]), input: null, s_deadline, TestContext.Current.CancellationToken);
        Assert.Equal(string.Concat(Enumerable.Range(1, 100_000).Select(number => $"{number}\n")), run.Output);
    }

    [Fact]
    public async Task Ask_ends_a_program_that_does_not_end()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "A command of Linux.");
        CancellationToken token = TestContext.Current.CancellationToken;
        Assert.Null(await Task.Run(() => MachineInspector.Ask("sleep", "600"), token).WaitAsync(s_deadline, token));
        Assert.Equal("answer", MachineInspector.Ask("echo", "answer"));
        Assert.Null(MachineInspector.Ask("no-such-program"));
    }
}
