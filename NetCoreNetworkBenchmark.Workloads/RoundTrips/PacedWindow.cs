using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

// The slots are a ring, in the order of the messages. A round trip counts from the time at which its message was due. It therefore includes the wait before
// the send, as a user would experience it. A message is counted in the phase in which it was due.
internal sealed class PacedWindow(in WindowSetup setup, int capacity, TimeSpan lateBound) : InFlightWindow(in setup, capacity)
{
    private readonly long _lateBound = RunRecorder.ToTicks(lateBound);

    private int _next;

    // The message that a closed loop would have in flight. Its round trip is the latency that is not corrected for coordinated omission.
    private int _closedLoopSlot;
    private long _closedLoopSentAt;

    public override void Start(WorkerStatistics worker)
    {
        // No message is sent before it is due.
    }

    public void Send(long due, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.IntervalOf(due).Statistics;
        if (!statistics.Sends)
        {
            return;
        }

        int slot = TakeNext(worker);
        long now = worker.Now;
        if (!IsInFlight(_closedLoopSlot))
        {
            (_closedLoopSlot, _closedLoopSentAt) = (slot, now);
        }

        if (Send(slot, due, Layout.MessageOf(worker), worker, statistics) && now - due > _lateBound)
        {
            statistics.Counters.SentLate++;
        }
    }

    public void OnAnswer(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        int slot = Accept(message, worker);
        if (slot < 0)
        {
            return;
        }

        PhaseStatistics statistics = Record(slot, worker);
        if (slot == _closedLoopSlot)
        {
            statistics.Uncorrected?.Record(RunRecorder.ToNanoseconds(worker.Now - _closedLoopSentAt));
        }
    }

    public override void OnTick(WorkerStatistics worker)
    {
        while (InFlight > 0 && FindOldest() is var slot && IsOverdue(slot, worker))
        {
            GiveUp(slot, worker);
        }
    }

    protected override PhaseStatistics Record(uint sequence, long timedFrom, WorkerStatistics worker)
    {
        PhaseInterval interval = worker.IntervalOf(timedFrom);
        Order(sequence, interval.Statistics);
        interval.RecordAnswer(timedFrom, RunRecorder.ToNanoseconds(worker.Now - timedFrom));
        return interval.Statistics;
    }

    protected override PhaseStatistics StatisticsOf(long timedFrom, WorkerStatistics worker) => worker.IntervalOf(timedFrom).Statistics;

    private int TakeNext(WorkerStatistics worker)
    {
        int slot = _next;
        _next = Next(slot);
        if (InFlight == 0)
        {
            Oldest = slot;
        }
        else if (slot == Oldest)
        {
            // The ring holds the messages that can be in flight until the deadline. If it is full nevertheless, the oldest one is given up.
            if (IsInFlight(slot))
            {
                GiveUp(slot, worker);
            }

            Oldest = _next;
        }

        return slot;
    }
}

internal sealed class PacedClients(RunPlan plan, RunRecorder recorder) : WindowClients(plan, recorder)
{
    // Every answer may be missing until its message is given up, which happens a tick late.
    private static readonly TimeSpan s_reserve = 2 * ClientSetup.TickInterval;

    private readonly TimeSpan _lateBound = plan.Impairment.LateBound;
    private readonly int _capacity = CapacityFor(
        plan.HighestRate!.Value / plan.Clients * (plan.LossDeadline + s_reserve).TotalSeconds, isRandom: plan.Arrivals == Arrivals.Poisson);

    public override void OnDue(IPeer peer, long due, WorkerStatistics worker) => PacedWindowOf(peer).Send(due, worker);

    public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => PacedWindowOf(peer).OnAnswer(message, worker);

    // A Poisson variable is above its mean by eight standard deviations and 16 with a probability below 1e-14, whatever the mean.
    internal static int CapacityFor(double mean, bool isRandom) =>
        (int)Math.Min(Array.MaxLength, Math.Ceiling(isRandom ? mean + (8 * Math.Sqrt(mean)) + 16 : mean) + 2);

    protected override InFlightWindow CreateWindow(in WindowSetup setup) => new PacedWindow(in setup, _capacity, _lateBound);

    // OnConnected is the first call for a peer. It sets the state, which no other class writes.
    private static PacedWindow PacedWindowOf(IPeer peer) => Unsafe.As<PacedWindow>(peer.State!);
}
