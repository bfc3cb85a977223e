using System.Text;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Paths;

/// <summary>A TCP connection of another application, which sends from the clients' end of a path to the server's.</summary>
internal sealed class TcpNeighbour : IAsyncDisposable
{
    /// <summary>The offset of <c>tcpi_rtt</c>, in microseconds, in <c>struct tcp_info</c> (linux/tcp.h).</summary>
    public const int RoundTripOffset = 68;
    public const int IPPROTO_TCP = 6;
    public const int TCP_INFO = 11;
    public const int TCP_CONGESTION = 13;

    // TCP_CA_NAME_MAX of the kernel (net/tcp.h).
    private const int MaxNameBytes = 16;

    private const int BufferBytes = 64 * 1024;
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(10);

    private readonly CancellationTokenSource _end = new();
    private readonly LatencyHistogram _roundTrips = new();
    private readonly Socket _sender;
    private readonly Socket _receiver;
    private readonly Task _traffic;
    private long _received;
    private long _begin;
    private long _receivedBefore;
    private volatile bool _isMeasuring;
    private (long Bytes, TimeSpan Time) _measured;

    private TcpNeighbour(Socket sender, Socket receiver, long bitsPerSecond)
    {
        (_sender, _receiver) = (sender, receiver);
        _traffic = Task.WhenAll(bitsPerSecond == long.MaxValue ? SendAsync() : SendAsync(bitsPerSecond), ReceiveAsync(), ReadRoundTripsAsync());
    }

    /// <param name="bitsPerSecond">As in <see cref="ImpairmentPlan.NeighbourBitsPerSecond"/>.</param>
    /// <exception cref="BenchmarkException">It could not connect.</exception>
    public static async Task<TcpNeighbour> StartAsync(NamespacePath path, long bitsPerSecond, CancellationToken cancellationToken)
    {
        using Socket listener = await OpenAsync(path.Server);
        Socket sender = await OpenAsync(path.Client);
        try
        {
            // The rest of its data must not be in the queue of the next launch.
            sender.LingerState = new LingerOption(true, 0);
            UseCubic(sender);
            listener.Bind(new IPEndPoint(IPAddress.Parse(NamespacePath.ServerAddress), 0));
            listener.Listen();
            await sender.ConnectAsync(listener.LocalEndPoint!, cancellationToken).AsTask().WaitAsync(s_deadline, cancellationToken);
            Socket receiver = await listener.AcceptAsync(cancellationToken).AsTask().WaitAsync(s_deadline, cancellationToken);
            return new TcpNeighbour(sender, receiver, bitsPerSecond);
        }
        catch (Exception exception) when (IsOfConnection(exception))
        {
            sender.Dispose();
            throw new BenchmarkException($"The TCP neighbour could not connect: {exception.Message.TrimEnd('.')}.", exception);
        }
        catch
        {
            sender.Dispose();
            throw;
        }
    }

    public void Enter(RunPhase phase)
    {
        long received = Interlocked.Read(ref _received);
        if (phase == RunPhase.Measure)
        {
            (_begin, _receivedBefore, _isMeasuring) = (Stopwatch.GetTimestamp(), received, true);
        }
        else if (_isMeasuring)
        {
            (_measured, _isMeasuring) = ((received - _receivedBefore, Stopwatch.GetElapsedTime(_begin)), false);
        }
    }

    /// <exception cref="BenchmarkException">Its connection broke.</exception>
    public async Task<NeighbourReport> StopAsync()
    {
        // A run that is ended early may have no drain.
        Enter(RunPhase.Stop);
        byte[] name = new byte[MaxNameBytes];
        try
        {
            _sender.GetRawSocketOption(IPPROTO_TCP, TCP_CONGESTION, name);
            await _end.CancelAsync();
            await _traffic.WaitAsync(s_deadline);
        }
        catch (OperationCanceledException)
        {
            return NeighbourReport.From(Encoding.ASCII.GetString(name).TrimEnd('\0'), _measured.Bytes, _measured.Time, _roundTrips);
        }
        catch (Exception exception) when (IsOfConnection(exception))
        {
            throw new BenchmarkException($"The TCP neighbour failed: {exception.Message.TrimEnd('.')}.", exception);
        }

        throw new InvalidOperationException("The TCP neighbour ended before the run.");
    }

    public static TimeSpan RoundTripOf(ReadOnlySpan<byte> tcpInfo) => TimeSpan.FromMicroseconds(MemoryMarshal.Read<uint>(tcpInfo[RoundTripOffset..]));

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _traffic.WaitAsync(s_deadline).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _sender.Dispose();
        _receiver.Dispose();
        _end.Dispose();
    }

    private static bool IsOfConnection(Exception exception) => exception is SocketException or TimeoutException;

    // The default of Linux, Windows and Apple's systems (RFC 9438), so that the neighbours of two machines are alike. A machine may not have or allow it.
    private static void UseCubic(Socket sender)
    {
        try
        {
            sender.SetRawSocketOption(IPPROTO_TCP, TCP_CONGESTION, Encoding.ASCII.GetBytes("cubic"));
        }
        catch (SocketException)
        {
            // The report names the one of the system, which stays.
        }
    }

    private static Task<Socket> OpenAsync(HostNamespace host) => OwnThread.RunIsolatedAsync(() =>
    {
        host.Enter();
        return new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    });

    private async Task SendAsync()
    {
        byte[] bytes = new byte[BufferBytes];
        while (true)
        {
            await _sender.SendAsync(bytes, _end.Token);
        }
    }

    private async Task SendAsync(long bitsPerSecond)
    {
        const int BitsPerByte = 8;
        const int MaxBytesAtOnce = 16 * 1024 * 1024;
        byte[] bytes = new byte[(int)Math.Clamp(bitsPerSecond * s_interval.TotalSeconds / BitsPerByte, 1, MaxBytesAtOnce)];
        _sender.NoDelay = true;
        using var timer = new PeriodicTimer(s_interval);
        while (await timer.WaitForNextTickAsync(_end.Token))
        {
            await _sender.SendAsync(bytes, _end.Token);
        }
    }

    private async Task ReceiveAsync()
    {
        byte[] buffer = new byte[BufferBytes];
        while (await _receiver.ReceiveAsync(buffer, _end.Token) is var count and > 0)
        {
            Interlocked.Add(ref _received, count);
        }
    }

    private async Task ReadRoundTripsAsync()
    {
        byte[] info = new byte[RoundTripOffset + sizeof(uint)];
        using var timer = new PeriodicTimer(s_interval);
        while (await timer.WaitForNextTickAsync(_end.Token))
        {
            if (_isMeasuring)
            {
                _sender.GetRawSocketOption(IPPROTO_TCP, TCP_INFO, info);
                _roundTrips.Record((long)RoundTripOf(info).TotalNanoseconds);
            }
        }
    }
}
