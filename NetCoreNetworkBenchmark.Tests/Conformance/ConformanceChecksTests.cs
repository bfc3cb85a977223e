namespace NetCoreNetworkBenchmark.Tests.Conformance;

/// <summary>Each defect of a library is named by its check. <see cref="LibraryContractTests"/> shows that good libraries pass.</summary>
public sealed class ConformanceChecksTests
{
    [Theory]
    [Trait("Category", "Long")]
    [InlineData(Defect.HangsInStop, "stop", @"^DisposeAsync of the server did not end within 2 s\.$")]
    [InlineData(Defect.SendsTwice, "once", @"^Message 0 of a client came back twice\.$")]
    [InlineData(Defect.SwapsMessages, "order", @"^Message 0 of a client came back after message 1\.$")]
    [InlineData(Defect.SwapsMessages, "reliable beside unreliable", @"^Message 0 of a client came back after message 1\.$", Protocol.Udp)]
    [InlineData(
        Defect.LosesTheLast, "once",
        @"^Only 1998 of 2000 messages came back within 3 s\. Message 999 of a client is missing\. \S+ messages reached the server\.$")]
    [InlineData(Defect.AllocatesPerMessage, "allocation", @"^A thread of the server allocates \d+ bytes for each message\.$")]
    [InlineData(Defect.IgnoresPause, "pause and resume", @"^OnDue still came \d\S* s after Pause\.$")]
    [InlineData(Defect.AnswersFromTwoThreads, "serial calls", @"^OnMessage was called for one peer by two threads at the same time\.$")]
    [InlineData(Defect.BlocksTheLoop, "many clients", @"^Only 1 of 50 clients had an answer within 3 s\. \S+ messages reached the server\.$", Protocol.Udp)]
    [InlineData(
        Defect.ClosesEarly, "echo",
        @"^Only 20 of 40 messages of 32 bytes .+ within 3 s\. The connections of 4 clients ended early\. \d+ messages reached the server\.$")]
    [InlineData(Defect.NeverConnects, "connect", @"^ConnectAsync did not return within 4 s\.$")]
    [InlineData(
        Defect.NeverCongested, "back pressure",
        @"^The server accepted 4,000 messages of 16,000 bytes for a client that reads none, and IsCongested stayed false\.$")]
    [InlineData(Defect.ClosesAll, "one closes", @"closed others too\.$|answers arrived at the clients that remained within")]
    [InlineData(Defect.HasNoCallToAll, "one call to all", @"^The server has no peer that represents all clients \(ServerSetup\.SendsToAll\)\.$")]
    [InlineData(Defect.TicksOneClient, "ticks", @"^Only 1 of 2 idle clients had 3 calls of OnTick within 3 s\.$")]
    [InlineData(Defect.EchoesByItself, "echo", @"^All 40 messages were answered, but the server's handler was called for 0\.$")]
    [InlineData(Defect.ReceivesTwice, "once", @"^All 2000 messages were answered, but the server's handler was called for 4000\.$")]
    [InlineData(Defect.SharesAnswers, "echo", @"^Only \d+ of 40 messages of 32 bytes came back .+ came back changed, or to another client\. ")]
    [InlineData(Defect.ClientsFromTwoThreads, "serial calls", @"^OnMessage was called for one client by two threads at the same time\.$")]
    [InlineData(Defect.DueLate, "schedule", @"^Half of the calls of OnDue came more than \d+ ms after they were due \(limit: 20 ms\)\.$")]
    [InlineData(Defect.DueLate, "think", @"^Half of the calls of OnDue came more than \d+ ms after they were due \(limit: 20 ms\)\.$")]
    [InlineData(Defect.RepeatsOneOfThousands, "many messages", @"^Message 4999 of a client came back twice\.$")]
    [InlineData(Defect.ReordersOneOfThousands, "many messages", @"^Message 4999 of a client came back after message 5000\.$")]
    [InlineData(
        Defect.LeaksSockets, "descriptors", @"^After 5 servers and their clients were disposed, \d+ more descriptors are open than before \(socket: ",
        Protocol.Udp)]
    [InlineData(Defect.AcceptsAllPeers, "more peers", @"^The server accepted 4 peers; the plan has 2 clients\.$", Protocol.Udp)]
    [InlineData(
        Defect.CountsNoUnsolicited, "unsolicited traffic",
        @"^None of 200 datagrams of unknown senders was counted by WorkerStatistics\.CountUnsolicitedDatagram\.$", Protocol.Udp)]
    [InlineData(
        Defect.WakesForEachMessage, "updates",
        @"^4 messages came back after \d+ ms in all, although each waits for an update of the server: 4 per second\.$", Protocol.Udp)]
    [InlineData(Defect.BindsElsewhere, "end point", @"^The system has no socket of the server at 127\.0\.0\.1:\d+, but one at 0\.0\.0\.0\.$")]
    [InlineData(Defect.StopsSlowly, "stop", @"^DisposeAsync of the server took \d\.\d s, for which each run waits \(limit: 0\.5 s\)\.$")]
    public async Task A_check_names_the_defect_of_a_library(Defect defect, string check, string reason, Protocol protocol = Protocol.Tcp)
    {
        await using var library = new BrokenLibrary(defect);
        RunPlan plan = LibraryUnderTest.PlanOf(library, protocol) with { ConnectDeadline = TimeSpan.FromSeconds(3), StopDeadline = TimeSpan.FromSeconds(1) };
        Exception? fault = await Record.ExceptionAsync(() => ConformanceChecks.Find(check).RunAsync(LibraryUnderTest.Subject(library, plan)));
        Assert.Matches(reason, fault?.Message);
    }

    [Fact, Trait("Category", "Long")]
    public async Task The_latency_of_a_library_with_long_round_trips_is_checked_within_the_deadline()
    {
        await using var library = new DistantLibrary();
        RunPlan plan = LibraryUnderTest.PlanOf(library, Protocol.Udp) with { ConnectDeadline = TimeSpan.FromSeconds(15) };
        await ConformanceChecks.Find("latency").RunAsync(LibraryUnderTest.Subject(library, plan));
    }

    /// <summary>The library Sockets behind a relay with a delay.</summary>
    private sealed class DistantLibrary : INetworkBenchmark, IAsyncDisposable
    {
        private readonly SocketsBenchmark _inner = new();
        private readonly List<Relay> _relays = [];
        private readonly RunRecorder _recorder = new();

        public LibraryInfo Info => _inner.Info;

        public IBenchmarkServer StartServer(ServerSetup setup) => _inner.StartServer(setup);

        public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
        {
            var relay = Relay.Start(Setups.OfRelay(setup.EndPoint, _recorder, new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(5) }, setup.Plan));
            _relays.Add(relay);
            return _inner.ConnectAsync(setup with { EndPoint = relay.EndPoint }, cancellationToken);
        }

        public async ValueTask DisposeAsync()
        {
            foreach (Relay relay in _relays)
            {
                await relay.DisposeAsync();
            }

            _recorder.Dispose();
        }
    }
}
