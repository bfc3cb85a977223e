namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>What every library in the build must do with messages in each way to send them. A new library is tested without any change here.</summary>
public sealed class LibraryDeliveryTests
{
    [Theory, MemberData(nameof(LibraryUnderTest.Transmissions), MemberType = typeof(LibraryUnderTest))]
    public async Task Messages_of_all_sizes_in_a_range_come_back_as_they_were_sent(string name, Protocol protocol, Transmission transmission)
    {
        const int RoundTrips = 2_000;
        await using var session = new LibrarySession(
            LibraryUnderTest.Create(name), protocol, clients: 2, messageSize: 1_000, parallelMessages: 20, transmission: transmission,
            framing: protocol.IsStream() ? Framing.Length : Framing.Fixed, smallestMessage: RunPlan.SmallestOfRange);
        var workload = new PingPong();
        session.Handlers = (workload.CreateServerHandler(session.Plan, session.Recorder), workload.CreateClientHandler(session.Plan, session.Recorder));
        await session.LoadAsync();
        await Wait.UntilAsync(
            () => session.Recorder.Count(RunPhase.Measure) is var counters && counters.ClientReceived >= RoundTrips,
            () => $"only {session.Recorder.Count(RunPhase.Measure).ClientReceived} messages came back");
        Assert.Equal(0, session.Recorder.Count(RunPhase.Measure).Corrupted);
        Assert.Empty(session.Recorder.Errors());
    }

    [Theory, MemberData(nameof(LibraryUnderTest.Transmissions), MemberType = typeof(LibraryUnderTest))]
    public async Task Clients_send_again_when_their_think_time_has_passed(string name, Protocol protocol, Transmission transmission)
    {
        const int Rounds = 5;
        TimeSpan think = TimeSpan.FromMilliseconds(20);
        await using var session = new LibrarySession(
            LibraryUnderTest.Create(name), protocol, clients: 2, messageSize: 32, parallelMessages: 3, transmission: transmission, think: think);
        var workload = new PingPong();
        session.Handlers = (workload.CreateServerHandler(session.Plan, session.Recorder), workload.CreateClientHandler(session.Plan, session.Recorder));
        long start = Stopwatch.GetTimestamp();
        await session.LoadAsync();
        await Wait.UntilAsync(
            () => session.Recorder.Count(RunPhase.Measure).ClientReceived >= 2 * 3 * Rounds,
            () => $"only {session.Recorder.Count(RunPhase.Measure).ClientReceived} messages came back");
        double maxRounds = (Stopwatch.GetElapsedTime(start) / think) + 1;
        Assert.InRange(session.Recorder.Count(RunPhase.Measure).ClientSent, 2 * 3 * Rounds, 2 * 3 * maxRounds);
        Assert.Empty(session.Recorder.Errors());
    }

    [Theory, MemberData(nameof(LibraryUnderTest.StreamSizes), MemberType = typeof(LibraryUnderTest))]
    public Task Every_way_to_send_delivers_exact_bytes_of_a_whole_window(string name, Protocol protocol, string send, Framing framing, int size) =>
        LibraryUnderTest.CheckAsync(
            "echo", name, protocol, setting: (StreamSendSetting.Setting.Name, send),
            vary: plan => plan with { Framing = framing, MessageSize = size, ParallelMessages = 20 });

    // Together the messages fit into the server's socket buffer, even if an ordinary user runs this and the server cannot read in time.
    [Theory, MemberData(nameof(LibraryUnderTest.Settings), MemberType = typeof(LibraryUnderTest))]
    public Task Every_value_of_a_setting_delivers_exact_bytes_there_and_back(string name, Protocol protocol, string setting, string value) =>
        LibraryUnderTest.CheckAsync("once", name, protocol, setting: (setting, value), vary: plan => plan with { ParallelMessages = 200 });

    [Theory, MemberData(nameof(LibraryUnderTest.WithServerPushInEveryWay), MemberType = typeof(LibraryUnderTest)), Trait("Category", "Long")]
    public Task Server_push_is_as_fast_as_its_peers_read(string name, Protocol protocol, string? send) =>
        LibraryUnderTest.CheckAsync("back pressure", name, protocol, setting: send is null ? null : (StreamSendSetting.Setting.Name, send));
}
