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
}
