using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

/// <summary>The errors that a coordinator reports for a process that does not behave as expected.</summary>
public sealed class AgentProcessTests
{
    private static readonly RunPlan s_plan = new() { Library = "Sockets", Port = 0 };

    [Fact]
    public void A_program_that_cannot_be_started_is_one_sentence()
    {
        var exception = Assert.Throws<BenchmarkException>(() => new AgentProcess(AgentRole.Server, new ProcessStartInfo("/nowhere/at all")));
        Assert.StartsWith("The server's process could not be started ('/nowhere/at all'): ", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("exit 3", "The clients' process failed with exit code 3: it printed no error.")]
    [InlineData("echo 'first' >&2; echo 'It is broken.' >&2; exit 1", "The clients' process failed with exit code 1: It is broken.")]
    [InlineData("echo 'Hello, world'; exec cat >/dev/null", "The clients' process sent a line that is not a frame.")]
    public async Task SendHelloAsync_names_what_a_process_did_that_is_no_agent(string script, string sentence)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The programs are scripts of a POSIX shell.");
        await using var agent = new AgentProcess(AgentRole.Client, new ProcessStartInfo("sh", ["-c", script]));
        var exception = await Assert.ThrowsAsync<BenchmarkException>(
            () => agent.SendHelloAsync(s_plan, null, null, TestContext.Current.CancellationToken)
                .WaitAsync(ChannelPair.Deadline, TestContext.Current.CancellationToken));
        Assert.Equal(sentence, exception.Message);
    }

    [Fact]
    public async Task SendAsync_ends_with_the_reason_when_the_process_breaks_before_it_acknowledges()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The programs are scripts of a POSIX shell.");
        Frame[] answers = [new AckFrame(1), new ReadyFrame { Id = 1 }, new FailureFrame("It is frozen.", IsBadInput: false) { Id = 2 }];
        string[] lines = [.. answers.Select(frame => $"'{JsonSerializer.Serialize(frame, FrameJson.Default.Frame)}'")];

        // It reads hello, the acknowledgement of ready, and the phase.
        string script = $"read -r line; echo {lines[0]}; echo {lines[1]}; read -r line; read -r line; echo {lines[2]}; while read -r line; do :; done";
        await using var agent = new AgentProcess(AgentRole.Server, new ProcessStartInfo("sh", ["-c", script]));
        await agent.SendHelloAsync(s_plan, null, null, TestContext.Current.CancellationToken);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(
            () => agent.SendAsync(new PhaseFrame(RunPhase.Drain), TestContext.Current.CancellationToken));
        Assert.Equal("It is frozen.", exception.Message);
    }
}
