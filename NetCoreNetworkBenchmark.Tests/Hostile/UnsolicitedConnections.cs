namespace NetCoreNetworkBenchmark.Tests.Hostile;

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
