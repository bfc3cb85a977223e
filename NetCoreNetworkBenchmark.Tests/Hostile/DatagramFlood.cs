namespace NetCoreNetworkBenchmark.Tests.Hostile;

/// <summary>
/// Random datagrams of 0 to 1,500 bytes from many ports, at a bounded rate, the same ones in each run. Of a hundred datagrams, one is a greeting, one
/// is a goodbye and one is empty.
/// </summary>
internal sealed class DatagramFlood(IPEndPoint target, int datagrams, int rate)
{
    private const int Seed = 20_240_601;
    private const int LargestSize = 1_500;
    private const int OpenSockets = 32;

    // A socket is replaced after so many datagrams, so a million datagrams come from thousands of ports.
    private const int DatagramsAPort = 250;
    private const int Portion = 100;

    private static readonly string[] s_tables = ["/proc/net/udp", "/proc/net/udp6"];

    private readonly Random _random = new(Seed);
    private readonly byte[] _bytes = new byte[LargestSize];

    public int Sent { get; private set; }
    public int Empty { get; private set; }
    public int Ports { get; private set; }

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        var sockets = new Socket[OpenSockets];
        try
        {
            long start = Stopwatch.GetTimestamp();
            for (int number = 0; number < datagrams; number++)
            {
                int place = number / DatagramsAPort % OpenSockets;
                if (number % DatagramsAPort == 0)
                {
                    sockets[place]?.Dispose();
                    sockets[place] = Open();
                }

                SendOne(sockets[place], number);
                if (number % Portion == 0)
                {
                    TimeSpan early = TimeSpan.FromSeconds((double)number / rate) - Stopwatch.GetElapsedTime(start);
                    await Task.Delay(early > TimeSpan.Zero ? early : TimeSpan.Zero, cancellationToken);
                    cancellationToken.ThrowIfCancellationRequested();
                }
            }
        }
        finally
        {
            foreach (Socket? socket in sockets)
            {
                socket?.Dispose();
            }
        }
    }

    /// <summary>The number of datagrams that the kernel dropped at the sockets that are bound to a port, of either address family.</summary>
    public static long KernelDrops(int port)
    {
        string suffix = string.Create(CultureInfo.InvariantCulture, $":{port:X4}");
        return OperatingSystem.IsLinux()
            ? s_tables.Where(File.Exists)
                .SelectMany(file => File.ReadLines(file).Skip(1))
                .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
                .Where(fields => fields[1].EndsWith(suffix, StringComparison.Ordinal))
                .Sum(fields => long.Parse(fields[^1], CultureInfo.InvariantCulture))
            : 0;
    }

    private Socket Open()
    {
        var socket = new Socket(target.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        socket.Connect(target);
        Ports++;
        return socket;
    }

    private void SendOne(Socket socket, int number)
    {
        ReadOnlySpan<byte> datagram = (number % 100) switch
        {
            1 => DatagramHandshake.Hello,
            2 => DatagramHandshake.Bye,
            3 => [],
            _ => Random(),
        };
        socket.Send(datagram, SocketFlags.None, out SocketError error);
        if (error == SocketError.Success)
        {
            Sent++;
            Empty += datagram.IsEmpty ? 1 : 0;
        }
    }

    private Span<byte> Random()
    {
        Span<byte> random = _bytes.AsSpan(0, _random.Next(LargestSize + 1));
        _random.NextBytes(random);
        return random;
    }
}

/// <summary>Connections that behave as no client does, the same ones in each run.</summary>
internal sealed class UnsolicitedConnections(IPEndPoint target) : IDisposable
{
    private const int Seed = 20_240_602;

    // A record of a handshake (RFC 8446, sections 4 and 5.1) with the start of a ClientHello of 512 bytes.
    private static readonly byte[] s_halfHello = [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 1, 2, 3, 4, 5, 6, 7, 8];

    private readonly Random _random = new(Seed);
    private readonly List<Socket> _open = [];

    public enum Kind
    {
        Silent,
        HalfHello,
        Garbage,
        ShutsSending,
        ShutsReceiving,
        Resets,
    }

    public int Made { get; private set; }

    public void OpenEach(int count)
    {
        foreach (Kind kind in Enum.GetValues<Kind>())
        {
            Open(kind, count);
        }
    }

    public void Open(Kind kind, int count)
    {
        for (int number = 0; number < count; number++)
        {
            var socket = new Socket(target.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { SendTimeout = 5_000 };
            _open.Add(socket);
            try
            {
                socket.Connect(target);
                Made++;
                Behave(kind, socket);
            }
            catch (SocketException exception) when (
                exception.SocketErrorCode is SocketError.ConnectionReset or SocketError.ConnectionRefused or SocketError.Shutdown or SocketError.NotConnected)
            {
                // The server ended the connection first.
                continue;
            }
        }
    }

    public int Ended() => _open.Count(HasEnded);

    public void Dispose() => _open.ForEach(socket => socket.Dispose());

    private void Behave(Kind kind, Socket socket)
    {
        switch (kind)
        {
            case Kind.HalfHello:
                socket.Send(s_halfHello);
                break;
            case Kind.Garbage:
                byte[] garbage = new byte[_random.Next(1, 2_000)];
                _random.NextBytes(garbage);
                socket.Send(garbage);
                break;
            case Kind.ShutsSending:
                socket.Shutdown(SocketShutdown.Send);
                break;
            case Kind.ShutsReceiving:
                socket.Shutdown(SocketShutdown.Receive);
                break;
            case Kind.Resets:
                socket.LingerState = new LingerOption(enable: true, seconds: 0);
                socket.Dispose();
                break;
            default:
                break;
        }
    }

    private static bool HasEnded(Socket socket)
    {
        try
        {
            byte[] buffer = new byte[4096];
            while (socket.Poll(0, SelectMode.SelectRead))
            {
                if (socket.Receive(buffer) == 0)
                {
                    return true;
                }
            }

            return false;
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            return true;
        }
    }
}
