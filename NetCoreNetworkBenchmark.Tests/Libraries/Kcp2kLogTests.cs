namespace NetCoreNetworkBenchmark.Tests.Libraries;

public sealed class Kcp2kLogTests
{
    [Fact]
    public async Task An_error_of_the_librarys_log_counts_at_the_side_whose_thread_writes_it_and_nowhere_after_the_run()
    {
        Assert.SkipUnless(LibraryUnderTest.Catalog.Libraries.Contains("kcp2k"), "kcp2k is not in this build.");
        INetworkBenchmark library = LibraryUnderTest.Create("kcp2k");
        RunPlan plan = LibraryUnderTest.PlanOf(library, Protocol.Udp) with { Clients = 1 };
        using var ofServer = new RunRecorder();
        using var ofClients = new RunRecorder();
        var (server, clients, answers) = (new ServerActions(), new ClientActions(), new Tally());
        server.Message = (peer, message) =>
        {
            WriteError();
            peer.Send(message);
        };
        clients.Started = peer => peer.Send(new byte[32]);
        clients.Message = (_, _) => answers.Add();
        await using (IBenchmarkServer started = library.StartServer(Setups.OfServer(plan, ofServer, server)))
        {
            await using IClientGroup group = await library.ConnectAsync(
                Setups.OfClients(plan, ofClients, clients, started.EndPoint), TestContext.Current.CancellationToken);
            ofClients.Enter(RunPhase.Measure);
            group.Start();
            await answers.ReachesAsync(1, "answers arrived");
        }

        WriteError();
        Assert.Equal(1, Assert.Single(ofServer.Errors()).Value);
        Assert.Empty(ofClients.Errors());
    }

    // The package is not in every build.
    private static void WriteError()
    {
        Type log = AppDomain.CurrentDomain.GetAssemblies().Select(assembly => assembly.GetType("kcp2k.Log")).OfType<Type>().First();
        ((Action<string>)log.GetField("Error")!.GetValue(null)!)("An error");
    }
}
