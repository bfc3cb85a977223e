using System.Diagnostics;
using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Workloads.Capacity;

/// <summary>
/// Clients that send one message each when the load begins. The message counts as received if the correct answer arrives within the loss
/// deadline; otherwise, it is given up. At the end, received and given-up messages add up to the number of clients.
/// </summary>
internal sealed class SingleRoundTripClients(RunPlan plan, RunRecorder recorder) : IClientHandler
{
    // Every client sends a single message.
    private const uint OnlySequence = 1;

    private readonly MessageLayout _layout = new(plan);
    private readonly long _deadline = (long)(plan.LossDeadline.TotalSeconds * Stopwatch.Frequency);
    private uint _lastClient;

    public bool IsDone
    {
        get
        {
            // A client whose connection ended before the start of the load is given up too, in an earlier phase.
            MessageCounters counters = recorder.Count(RunPhase.Connect, RunPhase.Measure);
            return counters.ClientReceived + counters.GivenUp >= plan.Clients;
        }
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker) => peer.State = new SingleRoundTrip(Interlocked.Increment(ref _lastClient));

    public void OnStart(IPeer peer, WorkerStatistics worker)
    {
        byte[] message = _layout.MessageOf(worker);
        SingleRoundTrip roundTrip = RoundTripOf(peer);
        if (_layout.IsTagged)
        {
            roundTrip.Tag.WriteTo(message);
        }

        // Thousands of clients start one after the other in a single call of their thread. The round trip of each one counts from its own turn.
        worker.ReadClock();
        roundTrip.SentAt = worker.Now;
        roundTrip.State = RoundTripState.Waiting;
        worker.Current.Counters.ClientSent++;
        if (!peer.Send(message))
        {
            worker.Current.Counters.ClientSent--;
            GiveUp(roundTrip, worker);
        }
    }

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        SingleRoundTrip roundTrip = RoundTripOf(peer);
        ref MessageCounters counters = ref worker.Current.Counters;
        if (!IsAnswer(message, roundTrip))
        {
            counters.Corrupted++;
        }
        else if (roundTrip.State != RoundTripState.Waiting)
        {
            _ = roundTrip.State == RoundTripState.Answered ? counters.Duplicated++ : counters.Late++;
        }
        else if (worker.Now - roundTrip.SentAt > _deadline)
        {
            GiveUp(roundTrip, worker);
        }
        else
        {
            roundTrip.State = RoundTripState.Answered;
            counters.ClientReceived++;
            worker.Current.Latency?.Record(RunRecorder.ToNanoseconds(worker.Now - roundTrip.SentAt));
        }
    }

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) =>
        throw new InvalidOperationException("A single round trip has no schedule.");

    public void OnTick(IPeer peer, WorkerStatistics worker)
    {
        SingleRoundTrip roundTrip = RoundTripOf(peer);
        if (roundTrip.State == RoundTripState.Waiting && worker.Now - roundTrip.SentAt > _deadline)
        {
            GiveUp(roundTrip, worker);
        }
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        recorder.CountError(RunRecorder.ServerLost);
        if (RoundTripOf(peer).State is RoundTripState.Connected or RoundTripState.Waiting)
        {
            GiveUp(RoundTripOf(peer), worker);
        }
    }

    private static void GiveUp(SingleRoundTrip roundTrip, WorkerStatistics worker)
    {
        roundTrip.State = RoundTripState.GivenUp;
        worker.Current.Counters.GivenUp++;
    }

    private bool IsAnswer(ReadOnlySpan<byte> message, SingleRoundTrip roundTrip) => _layout.IsIntact(message)
        && (!_layout.IsTagged || MessageTag.ReadFrom(message).Equals(roundTrip.Tag));

    // OnConnected is the first call for a peer. It sets the state, which only this class writes.
    private static SingleRoundTrip RoundTripOf(IPeer peer) => Unsafe.As<SingleRoundTrip>(peer.State!);

    private sealed class SingleRoundTrip(uint client)
    {
        public MessageTag Tag { get; } = new(client, OnlySequence, slot: 0);

        public RoundTripState State { get; set; }

        public long SentAt { get; set; }
    }

    private enum RoundTripState
    {
        Connected,
        Waiting,
        Answered,
        GivenUp,
    }
}
