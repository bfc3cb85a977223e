namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>The work of a client for a message, without the clock and the library. The peer is a copy of 32 bytes.</summary>
public class MessagePath
{
    private const int Operations = 1_024;

    private readonly WorkerStatistics _closedLoop = Sample.Thread(openLoop: false);
    private readonly WorkerStatistics _openLoop = Sample.Thread(openLoop: true);
    private readonly LastMessage _peer = new();
    private readonly LastMessage _pacedPeer = new();
    private readonly ClosedWindow _window;
    private readonly PacedWindow _paced;

    public MessagePath()
    {
        var layout = new MessageLayout(Sample.Plan);
        _closedLoop.ReadClock();
        _openLoop.ReadClock();
        _window = new ClosedWindow(new WindowSetup(_peer, Client: 1, layout, LossDeadline: Stopwatch.Frequency), slots: 1);
        _paced = new PacedWindow(new WindowSetup(_pacedPeer, Client: 1, layout, LossDeadline: Stopwatch.Frequency), Operations, new ImpairmentPlan().LateBound);
        _window.Start(_closedLoop);
    }

    [Benchmark(OperationsPerInvoke = Operations)]
    public long ClosedLoop()
    {
        for (int operation = 0; operation < Operations; operation++)
        {
            _window.OnAnswer(_peer.Bytes, _closedLoop);
        }

        return _closedLoop.Current.Counters.ClientReceived;
    }

    /// <summary>The answer is recorded in two histograms.</summary>
    [Benchmark(OperationsPerInvoke = Operations)]
    public long OpenLoop()
    {
        for (int operation = 0; operation < Operations; operation++)
        {
            _paced.Send(_openLoop.Now, _openLoop);
            _paced.OnAnswer(_pacedPeer.Bytes, _openLoop);
        }

        return _openLoop.Current.Counters.ClientReceived;
    }

    // Keeps a copy of the last sent message, which is then used as the answer.
    private sealed class LastMessage : IPeer
    {
        private readonly byte[] _bytes = new byte[Sample.Plan.MessageSize];

        public object? State { get; set; }

        public ReadOnlySpan<byte> Bytes => _bytes;

        public bool Send(ReadOnlySpan<byte> message)
        {
            message.CopyTo(_bytes);
            return true;
        }

        public void Close()
        {
            // There is nothing to close.
        }
    }
}

internal static class Sample
{
    public static RunPlan Plan { get; } = new() { Library = "Memory", Clients = 10, ParallelMessages = 10, Port = 0 };

    public static WorkerStatistics Thread(bool openLoop)
    {
        using var recorder = new RunRecorder(openLoop);
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        recorder.Enter(RunPhase.Measure);
        return worker;
    }
}
