namespace NetCoreNetworkBenchmark.Running.LossyPaths;

/// <summary>
/// Passes packets of IP from each of two devices to the other one, a fixed time after they came. One thread does both ways. All packets have the same delay, so
/// the one that came first also leaves first.
/// </summary>
internal sealed class PacketRelay : IDisposable
{
    private const int StopToken = 2;
    private const long IdleNanoseconds = 1_000_000_000;
    private static readonly TimeSpan s_stopDeadline = TimeSpan.FromSeconds(5);

    private readonly TunDevice[] _devices;
    private readonly long _delay;
    private readonly Queue<Packet> _underWay = new();
    private readonly Stack<byte[]> _buffers = new();
    private readonly EventFdWakeUp _stop = new();
    private readonly EpollReadiness _readiness = new();
    private readonly long[] _passed = new long[2];
    private readonly Thread _thread;
    private volatile Exception? _failure;
    private volatile bool _stopped;

    public PacketRelay(TunDevice first, TunDevice second, TimeSpan delay)
    {
        _devices = [first, second];
        _delay = RunRecorder.ToTicks(delay);
        _readiness.Add(first.Descriptor, 0, Interest.Read);
        _readiness.Add(second.Descriptor, 1, Interest.Read);
        _readiness.Add(_stop.Handle, StopToken, Interest.Read);
        _thread = new Thread(Run) { IsBackground = true, Name = "Packet relay" };
        _thread.Start();
    }

    public long FromFirst => Volatile.Read(ref _passed[0]);
    public long FromSecond => Volatile.Read(ref _passed[1]);

    public void ThrowIfBroken()
    {
        if (_failure is { } failure)
        {
            throw new BenchmarkException($"The path between the network namespaces broke: {failure.Message.TrimEnd('.')}.", failure);
        }
    }

    public void Dispose()
    {
        _stopped = true;
        _stop.Signal();
        if (_thread.Join(s_stopDeadline))
        {
            _readiness.Dispose();
            _stop.Dispose();
        }
    }

    private void Run()
    {
        try
        {
            // The default would let the kernel wake this thread 50 µs late.
            SystemCall.ThrowIfFailed(SysPrctl.prctl(SysPrctl.PR_SET_TIMERSLACK, 1), "prctl");
            Span<Ready> ready = stackalloc Ready[StopToken + 1];
            while (!_stopped)
            {
                int count = _readiness.WaitExactly(ready, NextWait());
                foreach (Ready device in ready[..count])
                {
                    if (device.Token != StopToken)
                    {
                        Take(device.Token);
                    }
                }

                PassOnDue();
            }
        }
        catch (Exception exception)
        {
            _failure = exception;
        }
    }

    private long NextWait() => _underWay.TryPeek(out Packet next)
        ? Math.Max(0, (long)((next.Due - Stopwatch.GetTimestamp()) * (1e9 / Stopwatch.Frequency)))
        : IdleNanoseconds;

    private void Take(int device)
    {
        byte[] buffer = _buffers.TryPop(out byte[]? used) ? used : new byte[TunDevice.Mtu];
        int length = _devices[device].Read(buffer);
        if (length == 0)
        {
            _buffers.Push(buffer);
            return;
        }

        _underWay.Enqueue(new Packet(Stopwatch.GetTimestamp() + _delay, 1 - device, buffer, length));
        Volatile.Write(ref _passed[device], _passed[device] + 1);
    }

    private void PassOnDue()
    {
        while (_underWay.TryPeek(out Packet next) && next.Due <= Stopwatch.GetTimestamp())
        {
            _underWay.Dequeue();
            _devices[next.To].Write(next.Buffer.AsSpan(0, next.Length));
            _buffers.Push(next.Buffer);
        }
    }

    /// <param name="Due">The time at which it leaves, by the clock of <see cref="Stopwatch"/>.</param>
    private readonly record struct Packet(long Due, int To, byte[] Buffer, int Length);
}
