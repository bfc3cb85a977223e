using NetCoreNetworkBenchmark.Tests.Conformance;

namespace NetCoreNetworkBenchmark.Tests.Running.Outcome;

public sealed class ServerCountTests
{
    [Theory]
    [InlineData(Defect.EchoesByItself, @"^The clients counted \S+ answers, but only 0 messages reached the handler of the server: ")]
    [InlineData(Defect.ReceivesTwice, @"^The handler of the server was called for \S+ messages, but the clients sent \S+ \(limit: \+2 %\), ")]
    public async Task A_run_is_invalid_on_any_machine_if_the_messages_of_server_and_clients_contradict_each_other(Defect defect, string sentence)
    {
        await using var library = new BrokenLibrary(defect);
        RunPlan plan = LibraryUnderTest.PlanOf(library, Protocol.Tcp) with
        {
            Test = "PingPong",
            Port = 0,
            Clients = 2,
            WarmUp = TimeSpan.FromSeconds(0.1),
            Duration = TimeSpan.FromSeconds(0.2),
            AnyMachine = true,
        };
        IWorkload workload = LibraryUnderTest.Catalog.DefaultWorkload;
        RunResult result = await new Run(plan, library.Info, workload, Placement.InThisProcess(plan, library, workload))
            .RunAsync(TestContext.Current.CancellationToken);
        Assert.Matches(sentence, result.Verdict.Faults.First(fault => fault.Contains("handler of the server", StringComparison.Ordinal)));
        Assert.Null(result.Server!.TotalReceived);
    }

    [Fact]
    public async Task A_run_fails_if_the_server_is_bound_to_another_address_than_requested()
    {
        var library = new ElsewhereLibrary();
        RunPlan plan = LibraryUnderTest.PlanOf(library, Protocol.Tcp) with { Test = "PingPong", Port = 0, Clients = 1, AnyMachine = true };
        IWorkload workload = LibraryUnderTest.Catalog.DefaultWorkload;
        var run = new Run(plan, library.Info, workload, Placement.InThisProcess(plan, library, workload));
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => run.RunAsync(TestContext.Current.CancellationToken));
        Assert.Matches(@"Sockets bound its server to 0\.0\.0\.0:\d+ instead of 127\.0\.0\.1:0\.$", exception.Message);
    }

    private sealed class ElsewhereLibrary : INetworkBenchmark
    {
        private readonly SocketsBenchmark _inner = new();

        public LibraryInfo Info => _inner.Info;

        public IBenchmarkServer StartServer(ServerSetup setup) =>
            _inner.StartServer(setup with { EndPoint = new IPEndPoint(IPAddress.Any, setup.EndPoint.Port) });

        public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) => _inner.ConnectAsync(setup, cancellationToken);
    }
}
