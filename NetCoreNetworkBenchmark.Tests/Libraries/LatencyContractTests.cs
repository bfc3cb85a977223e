namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>
/// No recorded round trip is shorter than the time from its send call to the return of the receive call that returned its answer, in any library
/// over any transport. Both sides share a clock that also advances by a step whenever the server answers. A receive call cannot return before the
/// server sends the received bytes. So the time between the two send calls of a message is a lower bound that does not depend on the machine's speed.
/// </summary>
public sealed class LatencyContractTests
{
    private const int SmallSize = 32;

    // As many datagrams as messages, which a server does not receive by a single ENet call.
    private const int LargeSize = 1_000;

    public static IEnumerable<TheoryDataRow<string, Protocol, int, int>> Windows() =>
        from row in LibraryUnderTest.Transports()
        from load in ((int Window, int Size)[])[(1, SmallSize), (64, SmallSize), (1_000, SmallSize), (4_000, SmallSize), (1_000, LargeSize)]
        select new TheoryDataRow<string, Protocol, int, int>(row.Data.Item1, row.Data.Item2, load.Window, load.Size);

    public static IEnumerable<TheoryDataRow<string, Protocol, string, string>> Settings() => LibraryUnderTest.Settings();

    public static IEnumerable<TheoryDataRow<string, Protocol>> Transports() => LibraryUnderTest.Transports();

    [Theory, MemberData(nameof(Windows))]
    public Task No_round_trip_is_shorter_than_from_its_send_call_to_the_receive_call_of_its_answer(string name, Protocol protocol, int window, int size) =>
        CheckAsync(name, protocol, window, size);

    [Theory, MemberData(nameof(Settings))]
    public Task No_value_of_a_setting_makes_a_round_trip_shorter(string name, Protocol protocol, string setting, string value) =>
        CheckAsync(name, protocol, window: 4_000, setting: (setting, value));

    // A rate at which messages are overdue, with answers between them.
    [Theory, MemberData(nameof(Transports))]
    public Task No_round_trip_of_an_open_loop_is_shorter_also_with_a_backlog(string name, Protocol protocol) =>
        CheckAsync(name, protocol, window: 1, rate: 100_000);

    private static async Task CheckAsync(
        string name, Protocol protocol, int window, int size = SmallSize, double? rate = null, (string Name, string Value)? setting = null)
    {
        var bounds = new Bounds(answers: rate is null ? 500 + (2 * window) : 3_000);
        await using var session = new LibrarySession(
            LibraryUnderTest.Create(name), protocol, clients: 1, size, window, rate, setting: setting, clock: bounds.Clock);
        var workload = new PingPong();
        session.Handlers = (
            new NotingServer(workload.CreateServerHandler(session.Plan, session.Recorder), bounds),
            new NotingClient(workload.CreateClientHandler(session.Plan, session.Recorder), bounds));
        await session.LoadAsync();
        await bounds.Judged.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        Assert.Empty(bounds.Broken);
    }

    /// <summary>The times at which each message was sent and answered, by its number, and the latencies that were recorded too short.</summary>
    private sealed class Bounds(int answers)
    {
        // More than the judged messages, for messages that are lost or sent until the load ends.
        private const int MaxMessages = 100_000;
        private const int MaxBroken = 5;

        private readonly long[] _sent = new long[MaxMessages];
        private readonly long[] _answered = new long[MaxMessages];
        private readonly TaskCompletionSource _judged = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _left = answers;

        public TrueLatency.SteppingClock Clock { get; } = new();
        public Task Judged => _judged.Task;
        public ConcurrentQueue<string> Broken { get; } = [];

        public void Sends(ReadOnlySpan<byte> message) => Note(_sent, message, Clock.Send());

        public void Answers(ReadOnlySpan<byte> message) => Note(_answered, message, Clock.Answer());

        public void Judge(ReadOnlySpan<byte> message, long received, long latency)
        {
            uint number = MessageTag.ReadFrom(message).Sequence;
            if (number >= MaxMessages || _left == 0)
            {
                return;
            }

            (long sent, long answered) = (Volatile.Read(ref _sent[number]), Volatile.Read(ref _answered[number]));
            if (Broken.Count < MaxBroken && (received < answered || latency < RunRecorder.ToNanoseconds(answered - sent)))
            {
                Broken.Enqueue(
                    $"Message {number}: {latency} ns were recorded, {RunRecorder.ToNanoseconds(answered - sent)} ns after its send call it was answered, " +
                    $"the clock was read {RunRecorder.ToNanoseconds(received - answered)} ns after that.");
            }

            if (--_left == 0)
            {
                _judged.SetResult();
            }
        }

        private static void Note(long[] times, ReadOnlySpan<byte> message, long time)
        {
            uint number = MessageTag.ReadFrom(message).Sequence;
            if (number < MaxMessages)
            {
                Volatile.Write(ref times[number], time);
            }
        }
    }

    private sealed class NotingServer(IServerHandler workload, Bounds bounds) : IServerHandler
    {
        public void OnConnected(IPeer peer, WorkerStatistics worker) => workload.OnConnected(peer, worker);

        public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
        {
            bounds.Answers(message);
            workload.OnMessage(peer, message, worker);
        }

        public void OnWritable(IPeer peer, WorkerStatistics worker) => workload.OnWritable(peer, worker);

        public void OnClosed(IPeer peer, WorkerStatistics worker) => workload.OnClosed(peer, worker);
    }

    private sealed class NotingClient(IClientHandler workload, Bounds bounds) : IClientHandler
    {
        public void OnConnected(IPeer peer, WorkerStatistics worker)
        {
            var noting = new NotingPeer(peer, bounds);
            peer.State = noting;
            workload.OnConnected(noting, worker);
        }

        public void OnStart(IPeer peer, WorkerStatistics worker) => workload.OnStart(Noting(peer), worker);

        public void OnDue(IPeer peer, long due, WorkerStatistics worker) => workload.OnDue(Noting(peer), due, worker);

        public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
        {
            // The call adds only the recorded answer to the histogram.
            LatencyHistogram? latencies = worker.Current.Latency;
            (long count, double sum, long received) = (latencies?.Count ?? 0, SumOf(latencies), worker.Now);
            workload.OnMessage(Noting(peer), message, worker);
            if (latencies?.Count == count + 1)
            {
                bounds.Judge(message, received, (long)Math.Round(SumOf(latencies) - sum));
            }
        }

        public void OnTick(IPeer peer, WorkerStatistics worker) => workload.OnTick(Noting(peer), worker);

        public void OnClosed(IPeer peer, WorkerStatistics worker) => workload.OnClosed(Noting(peer), worker);

        private static NotingPeer Noting(IPeer peer) => (NotingPeer)peer.State!;

        private static double SumOf(LatencyHistogram? latencies) => latencies is null ? 0 : Math.Round(latencies.Mean * latencies.Count);
    }

    private sealed class NotingPeer(IPeer peer, Bounds bounds) : IPeer
    {
        public object? State { get; set; }
        public bool IsCongested => peer.IsCongested;

        public bool Send(ReadOnlySpan<byte> message)
        {
            bounds.Sends(message);
            return peer.Send(message);
        }

        public void Wake() => peer.Wake();

        public void Close() => peer.Close();
    }
}
