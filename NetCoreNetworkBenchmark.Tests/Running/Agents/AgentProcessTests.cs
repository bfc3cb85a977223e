using System.Diagnostics;
using System.Globalization;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Scenarios;

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
    [InlineData("exit 3", "The clients' process broke down with exit code 3: it said nothing.")]
    [InlineData("echo 'first' >&2; echo 'It is broken.' >&2; exit 1", "The clients' process broke down with exit code 1: It is broken.")]
    [InlineData("echo 'Hello, world'; exec cat >/dev/null", "The clients' process said something that is no frame.")]
    public async Task A_process_that_is_no_agent_is_named_with_what_it_did(string script, string sentence)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The programs are scripts of a POSIX shell.");
        await using var agents = new AgentGroup(TestContext.Current.CancellationToken);
        AgentProcess agent = agents.Add(new AgentProcess(AgentRole.Client, new ProcessStartInfo("sh", ["-c", script])));
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => agents.GreetAsync(agent, s_plan, null, ChannelPair.Deadline));
        Assert.Equal(sentence, exception.Message);
    }

    [Fact]
    public async Task A_crew_ends_all_processes_although_the_end_of_one_fails()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The programs are scripts of a POSIX shell.");
        string file = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        var agents = new AgentGroup(TestContext.Current.CancellationToken);
        agents.Add(new AgentProcess(AgentRole.Server, new ProcessStartInfo("sh", ["-c", $"echo $$ > '{file}.new'; mv '{file}.new' '{file}'; exec sleep 600"])));
        AgentProcess last = agents.Add(new AgentProcess(AgentRole.Client, new ProcessStartInfo("sh", ["-c", "exec cat"])));
        try
        {
            using var deadline = new CancellationTokenSource(ChannelPair.Deadline);
            while (!File.Exists(file))
            {
                await Task.Delay(20, deadline.Token);
            }

            using var first = Process.GetProcessById(int.Parse(await File.ReadAllTextAsync(file, deadline.Token), CultureInfo.InvariantCulture));
            await last.DisposeAsync();

            // A second attempt to end it fails, and this one comes first.
            await Assert.ThrowsAsync<ObjectDisposedException>(async () => await agents.DisposeAsync());
            Assert.True(first.HasExited);
        }
        finally
        {
            File.Delete(file);
        }
    }
}
