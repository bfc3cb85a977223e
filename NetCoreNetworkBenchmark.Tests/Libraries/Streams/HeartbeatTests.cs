namespace NetCoreNetworkBenchmark.Tests.Libraries.Streams;

/// <summary>Heartbeats of every library with streams, as a plain socket sees them.</summary>
public sealed class HeartbeatTests
{
    private static readonly TimeSpan s_interval = PlanLimits.MinHeartbeat;
    private static readonly byte[] s_heartbeat = [0, 0, 0, 6, 0, 6];

    public static IEnumerable<TheoryDataRow<string, Protocol>> Servers() => LibraryUnderTest.OverTcp();

    /// <summary>
    /// Those that keep what a client does not read. NetCoreServer ends the connection before heartbeats are missed (<see cref="StreamFaultTests"/>).
    /// </summary>
    public static IEnumerable<TheoryDataRow<string, Protocol>> ServersThatWait() => Servers().Where(row => row.Data.Item1 != "NetCoreServer");

    public static IEnumerable<TheoryDataRow<string, Protocol>> Clients() => LibraryUnderTest.ClientsOverTcp();

    [Theory, MemberData(nameof(Servers))]
    public async Task A_silent_client_gets_heartbeats_and_is_given_up_after_those_that_it_may_miss(string library, Protocol protocol)
    {
        const int Misses = 3;
        await using var service = new StreamService(library, protocol, plan => WithHeartbeats(plan, Misses));
        long start = Stopwatch.GetTimestamp();
        await using Stream silent = await service.ConnectAsync();
        Assert.Equal(s_heartbeat, await StreamService.ReadAsync(silent, s_heartbeat.Length));
        await StreamService.ReadToEndAsync(silent);
        Assert.InRange(Stopwatch.GetElapsedTime(start), Misses * s_interval, TimeSpan.MaxValue);
        await service.AssertOnlyErrorAsync($"server closed a connection after {Misses} missed heartbeats");
        Assert.InRange(service.Recorder.Count(RunPhase.Measure).HeartbeatsSent, 1, Misses);
    }

    [Theory, MemberData(nameof(ServersThatWait))]
    public async Task A_client_that_sends_and_does_not_read_is_given_up(string library, Protocol protocol)
    {
        const int Misses = 3;
        const int MaxMessages = 2_000;
        await using var service = new StreamService(library, protocol, plan => WithHeartbeats(plan with { MessageSize = 32 * 1024 }, Misses));
        await using Stream stream = await service.ConnectAsync();
        byte[] message = DecodedStream.Encode(new byte[service.Plan.MessageSize]);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        Task sending = SendAsync();
        await service.AssertOnlyErrorAsync($"server closed a connection after {Misses} missed heartbeats");
        await end.CancelAsync();
        await sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);

        // More than the buffers of both sockets hold. After that, the client shows only that it lives.
        async Task SendAsync()
        {
            for (int count = 0; count < MaxMessages; count++)
            {
                await stream.WriteAsync(message, end.Token);
            }

            while (true)
            {
                await stream.WriteAsync(s_heartbeat, end.Token);
                await Task.Delay(s_interval / 2, end.Token);
            }
        }
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task A_client_that_sends_heartbeats_is_kept(string library, Protocol protocol)
    {
        // Many may be missed, because the test itself may wait for a core.
        await using var service = new StreamService(library, protocol, plan => WithHeartbeats(plan, misses: 100));
        await using Stream stream = await service.ConnectAsync();
        for (int count = 0; count < 5; count++)
        {
            Assert.Equal(s_heartbeat, await StreamService.ExchangeAsync(stream, s_heartbeat));
        }

        await Wait.UntilAsync(() => service.Recorder.Count(RunPhase.Measure).HeartbeatsReceived == 5, () => "the heartbeats are counted");
        Assert.Equal(0, service.Recorder.Count(RunPhase.Measure).ServerReceived);
        Assert.Empty(service.Recorder.Errors());
    }

    [Theory, MemberData(nameof(Clients))]
    public async Task Both_sides_of_a_library_keep_an_idle_connection(string library, Protocol protocol)
    {
        await using var service = new StreamService(library, protocol, plan => WithHeartbeats(plan, misses: 100));
        await using IClientGroup clients = await service.ConnectClientsAsync();
        await service.Handler.Connected.ReachesAsync(1, "clients seen by the server");
        service.ClientRecorder.Enter(RunPhase.Measure);
        await Wait.UntilAsync(
            () => service.Recorder.Count(RunPhase.Measure).HeartbeatsReceived > 1 && service.ClientRecorder.Count(RunPhase.Measure).HeartbeatsReceived > 1,
            () => "both sides got heartbeats");
        Assert.Empty(service.Recorder.Errors());
        Assert.Empty(service.ClientRecorder.Errors());
    }

    private static RunPlan WithHeartbeats(RunPlan plan, int misses) => plan with
    {
        Framing = Framing.Checked,
        Liveness = new LivenessPlan { Heartbeat = s_interval, HeartbeatMisses = misses },
    };
}

/// <summary>Counts the resources of the whole process, so no other test may run at the same time.</summary>
[Collection(nameof(LeakTests))]
[Trait("Category", "Leak")]
[Trait("Category", "Long")]
public sealed class StreamLeakTests
{
    // Connections that are open at once.
    private const int Portion = 100;

    public static IEnumerable<TheoryDataRow<string, Protocol>> Servers() => LibraryUnderTest.OverTcp();

    /// <summary>With the number of connects. A reset within a TLS handshake costs up to several milliseconds of the processor.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol, int>> Resets() =>
        from row in Servers()
        let connects = row.Data.Item2 == Protocol.Ssl ? 1_000 : 3_000
        select new TheoryDataRow<string, Protocol, int>(row.Data.Item1, row.Data.Item2, connects);

    public static IEnumerable<TheoryDataRow<string, Protocol>> Clients() => LibraryUnderTest.ClientsOverTcp();

    [Theory, MemberData(nameof(Resets))]
    public async Task Thousands_of_connects_and_resets_leave_no_socket(string library, Protocol protocol, int connects)
    {
        // As many clients as connects: on a busy machine the server sees resets later than the next connects, and refuses more than its plan permits.
        await using StreamService service = await StartAsync(library, protocol, clients: connects);

        // Sockets alone: connects at the same time open other resources that the process keeps.
        int before = LeakTests.Sockets();
        for (int done = 0; done < connects; done += Portion)
        {
            await Task.WhenAll(Enumerable.Range(0, Portion).Select(_ => service.ConnectAndResetAsync()));
        }

        await service.AssertServesAsync();
        await LeakTests.SettlesAsync(before, LeakTests.Sockets, "open sockets");
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task Many_connects_and_closes_leave_no_socket(string library, Protocol protocol)
    {
        int connects = protocol == Protocol.Ssl ? 200 : 2_000;
        int first = connects / 10;

        // As many clients as connects, as above.
        await using StreamService service = await StartAsync(library, protocol, clients: first + connects);
        await ConnectAndCloseAsync(service, first);
        int before = LeakTests.Descriptors();
        await ConnectAndCloseAsync(service, connects);
        await LeakTests.SettlesAsync(before, LeakTests.Descriptors, "open descriptors");
    }

    [Theory, MemberData(nameof(Clients))]
    public async Task Clients_that_come_and_go_leave_no_descriptor(string library, Protocol protocol)
    {
        // The server permits the clients of all rounds together, as it sees their ends later than the next round begins.
        const int Rounds = 6;
        await using StreamService service = await StartAsync(library, protocol, clients: Rounds * Portion);
        int sockets = LeakTests.Sockets();
        await using (await service.ConnectClientsAsync(OfOneRound))
        {
            // The first clients open resources that the process keeps.
        }

        await LeakTests.SettlesAsync(sockets, LeakTests.Sockets, "open sockets");
        int before = LeakTests.Descriptors();
        for (int round = 1; round < Rounds; round++)
        {
            await using IClientGroup clients = await service.ConnectClientsAsync(OfOneRound);
        }

        await LeakTests.SettlesAsync(before, LeakTests.Descriptors, "open descriptors");

        static RunPlan OfOneRound(RunPlan plan) => plan with { Clients = Portion };
    }

    private static async Task ConnectAndCloseAsync(StreamService service, int connects)
    {
        for (int connect = 0; connect < connects; connect++)
        {
            await (await service.ConnectAsync()).DisposeAsync();
        }

        await service.Handler.Closed.ReachesAsync(connects, "closes seen by the server");
    }

    // The first connections open resources that the process keeps.
    private static async Task<StreamService> StartAsync(string library, Protocol protocol, int clients)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Descriptors are counted in Linux's /proc.");
        var service = new StreamService(library, protocol, plan => plan with { Clients = clients });
        await service.AssertServesAsync();
        await service.Handler.Closed.ReachesAsync(1, "the first close seen by the server");
        return service;
    }
}
