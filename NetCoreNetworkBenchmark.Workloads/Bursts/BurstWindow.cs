using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.Bursts;

// A message that the library does not accept is sent later. Messages are given up together, when no answer has arrived for the deadline: the answers to the
// last messages of a large burst may take longer than that, and are not lost as long as others arrive.
internal sealed class BurstWindow(in WindowSetup setup, ThreadStates<BurstThread> threads, int size, long bursts) : InFlightWindow(in setup, size)
{
    // As after a burst: nothing is left to be sent before the start.
    private int _sent = size;
    private long _begunAt;
    private long _lastActivity;

    // Whether all messages were sent at once and answered.
    private bool _isWhole;
    private long _left;

    public override void Start(WorkerStatistics worker)
    {
        Begin(worker);
        PhaseStatistics statistics = worker.Current;
        _left = bursts;
        if (InFlight > 0)
        {
            // The load was paused within this burst, and its time would contain the pause.
            _isWhole = false;
        }
        else if (statistics.Sends)
        {
            BeginBurst(worker, statistics);
        }
    }

    public void OnAnswer(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        int slot = Accept(message, worker);
        if (slot >= 0)
        {
            PhaseStatistics statistics = Record(slot, worker);
            _lastActivity = worker.Now;
            Continue(worker, statistics);
        }
    }

    public override void OnTick(WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        if (_sent < Slots && statistics.Sends)
        {
            SendRest(worker, statistics);
        }

        if (InFlight > 0 && worker.IsOverdue(_lastActivity, LossDeadline))
        {
            GiveUpAll(worker);
            _isWhole = false;
            Continue(worker, statistics);
        }
    }

    private void BeginBurst(WorkerStatistics worker, PhaseStatistics statistics)
    {
        _sent = 0;
        _isWhole = true;
        worker.ReadClock();
        _begunAt = worker.Now;
        SendRest(worker, statistics);
    }

    private void SendRest(WorkerStatistics worker, PhaseStatistics statistics)
    {
        byte[] message = threads.Of(worker).Message;
        bool isAccepted = true;
        while (isAccepted && _sent < Slots)
        {
            // A large burst takes long to send: the round trip of its last message does not begin with that of its first.
            worker.ReadClock();
            _lastActivity = worker.Now;
            isAccepted = Send(_sent++, worker.Now, message, worker, statistics);
        }

        _sent -= isAccepted ? 0 : 1;
    }

    private void Continue(WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (InFlight > 0)
        {
            return;
        }

        if (_sent == Slots)
        {
            EndBurst(worker, statistics);
        }
        else if (statistics.Sends)
        {
            SendRest(worker, statistics);
        }
    }

    private void EndBurst(WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (statistics.Phase == RunPhase.Measure)
        {
            BurstThread thread = threads.Of(worker);
            if (_isWhole)
            {
                thread.Times.Record(RunRecorder.ToNanoseconds(worker.Now - _begunAt));
            }
            else
            {
                thread.Broken++;
            }
        }

        _left--;
        if (_left == 0)
        {
            End(worker);
        }
        else if (statistics.Sends)
        {
            BeginBurst(worker, statistics);
        }
    }
}

// Only that thread writes. All its clients share the message, because a tag is written into it and it is sent at once.
internal sealed class BurstThread(byte[] message)
{
    public byte[] Message { get; } = message;

    /// <summary>The times of the bursts that ended within the measurement, in nanoseconds.</summary>
    public LatencyHistogram Times { get; } = new();

    /// <summary>The bursts that ended within the measurement and had lost messages.</summary>
    public long Broken { get; set; }
}
