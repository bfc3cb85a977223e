namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

[Trait("Category", "Long")]
public sealed class MaxClientsTests : InTemporaryFolder
{
    [Theory, InlineData("Sockets"), InlineData("ENet")]
    public async Task Search_serves_all_clients_up_to_the_bound_and_reports_the_memory_of_the_server(string library)
    {
        LibraryUnderTest.Create(library);
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-t maxclients -l {library} -p 0 -c 50 --deadline 30s --json");
        var result = (CapacityResult)ResultFile.Parse(output);
        Assert.Equal((0, 50, ClientBoundKind.Asked), (exitCode, result.HighestClients, result.BoundBy));
        Assert.Equal([10, 20, 40, 50], result.Steps.Select(step => step.Value));
        Assert.Equal(["10 clients: hold", "20 clients: hold", "40 clients: hold", "50 clients: hold"], BenchmarkProcess.WithoutWarnings(errors));
        Assert.All(result.Steps, step =>
        {
            RunResult run = step.Result!;
            ServerMemory memory = run.ServerMemory!;
            Assert.Equal(((long)step.Value, true, null), (run.Messages.ClientReceived, step.Holds, step.Reason));
            Assert.Empty(run.ErrorsByName);
            Assert.InRange(run.Clients.ConnectSeconds, double.Epsilon, 15);
            Assert.InRange(run.LatencyMicroseconds!.Max, run.LatencyMicroseconds.P50, 30e6);
            Assert.InRange(memory.ManagedBytesBefore, 1, memory.ResidentBytesBefore);
            Assert.InRange(memory.ResidentBytes, memory.ManagedBytes, long.MaxValue);
        });
    }

    [Fact]
    public async Task Search_ends_at_the_limit_of_the_protocol()
    {
        LibraryUnderTest.Create("ENet");
        (int exitCode, string output, _) = await BenchmarkProcess.RunLineAsync("-t MaxClients -l ENet -p 0 -c 1000000 --deadline 300s --connect-deadline 300");
        Assert.Equal(0, exitCode);
        Assert.Contains("**4,095**. The protocol of ENet allows no more than 4,095.", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Search_writes_its_result_and_report_prints_it_again()
    {
        (_, string output, _) = await BenchmarkProcess.RunLineAsync($"-t MaxClients -l Sockets -p 0 -c 3 --deadline 30s -o {Folder.FullName}");
        Assert.Equal(
            ["maxclients.csv", "maxclients.html", "maxclients.json", "maxclients.md"],
            Folder.GetFiles().Select(file => file.Name).Order(StringComparer.Ordinal));
        (int exitCode, string again, _) = await BenchmarkProcess.RunLineAsync($"report {PathOf("maxclients.json")}");
        Assert.Equal((0, output), (exitCode, again));
    }

    [Fact]
    public async Task Search_has_no_answer_when_no_client_can_keep_the_deadline()
    {
        (int exitCode, string output, _) = await BenchmarkProcess.RunLineAsync("-t MaxClients -l Sockets -p 0 -c 2 --deadline 100ns");
        Assert.Equal(1, exitCode);
        Assert.Contains("No number of clients held. At 1: 1 of 1 clients had no answer within 0.0000001 s.", output, StringComparison.Ordinal);
    }
}
