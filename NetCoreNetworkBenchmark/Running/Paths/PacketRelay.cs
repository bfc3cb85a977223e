namespace NetCoreNetworkBenchmark.Running.Paths;

/// <summary>One thread does both ways. All packets have the same delay, so the one that came first also leaves first.</summary>
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
    private readonly long[] _packets = new long[2];
    private readonly long[] _bytes = new long[2];
    private readonly Thread _thread;
    private readonly TaskCompletionSource<Exception> _broken = new(TaskCreationOptions.RunContinuationsAsynchronously);
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

    public WireTraffic FromFirst => Passed(0);
    public WireTraffic FromSecond => Passed(1);

    public Task<Exception> Broken => _broken.Task;

    public void ThrowIfBroken()
    {
        if (_broken.Task.IsCompleted)
        {
            throw _broken.Task.Result;
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

    private WireTraffic Passed(int device) => new(Volatile.Read(ref _packets[device]), Volatile.Read(ref _bytes[device]));

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
            _broken.SetResult(new BenchmarkException($"The path between the network namespaces broke: {exception.Message.TrimEnd('.')}.", exception));
        }
    }

    private long NextWait() => _underWay.TryPeek(out Packet next)
        ? Math.Max(0, (long)((next.Due - Stopwatch.GetTimestamp()) * (1e9 / Stopwatch.Frequency)))
        : IdleNanoseconds;

    private void Take(int device)
    {
        byte[] buffer = _buffers.TryPop(out byte[]? used) ? used : new byte[TunDevice.Mtu + 1];
        int length = _devices[device].Read(buffer);
        if (length == 0)
        {
            _buffers.Push(buffer);
            return;
        }

        if (length > TunDevice.Mtu)
        {
            // A device without IFF_VNET_HDR has no segmentation offload, which would count several segments as one packet.
            throw new InvalidOperationException($"A packet has more than the {TunDevice.Mtu} bytes of the MTU");
        }

        _underWay.Enqueue(new Packet(Stopwatch.GetTimestamp() + _delay, 1 - device, buffer, length));
        Volatile.Write(ref _packets[device], _packets[device] + 1);
        Volatile.Write(ref _bytes[device], _bytes[device] + length);
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
