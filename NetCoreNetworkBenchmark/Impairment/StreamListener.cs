using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The socket that clients connect to. It opens a connection to the server for each of theirs, and joins the two in both directions.</summary>
internal sealed class StreamListener : IRelayListener
{
    private readonly RelaySetup _setup;
    private readonly PollLoop _loop;
    private readonly Traffic _traffic;
    private readonly Socket _socket;

    /// <summary>Binds the socket and listens.</summary>
    /// <exception cref="SocketException">The address cannot be bound.</exception>
    public StreamListener(RelaySetup setup, PollLoop loop, Traffic traffic)
    {
        _setup = setup;
        _loop = loop;
        _traffic = traffic;
        var socket = new Socket(setup.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
        try
        {
            socket.Bind(setup.EndPoint);
            socket.Listen();
            EndPoint = (IPEndPoint)socket.LocalEndPoint!;
            _socket = socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public IPEndPoint EndPoint { get; }

    public int Clients { get; private set; }

    public long? MissedFromClients => null;

    public long? MissedFromServer => null;

    public void Begin() => _loop.Add(new Acceptor(_loop, _socket, Accept, Remark));

    private static void Prepare(Socket socket)
    {
        socket.Blocking = false;
        socket.NoDelay = true;
    }

    private static bool BeginConnect(Socket server, IPEndPoint endPoint)
    {
        try
        {
            server.Connect(endPoint);
            return false;
        }
        catch (SocketException exception) when (exception.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
        {
            return true;
        }
    }

    private void Accept(Socket client)
    {
        Clients++;
        Socket? server = null;
        try
        {
            server = new Socket(_setup.Server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            Prepare(client);
            Prepare(server);
            bool isConnecting = BeginConnect(server, _setup.Server);
            Join(new StreamEnd(client, isConnecting: false, _loop, _traffic.Buffer), new StreamEnd(server, isConnecting, _loop, _traffic.Buffer));
        }
        catch (SocketException exception)
        {
            // The client sees the same error as with any server that is gone.
            client.Close(0);
            server?.Dispose();
            Remark(exception);
        }
    }

    private void Join(StreamEnd client, StreamEnd server)
    {
        client.From = server.To = new StreamFlow(_traffic.ToServer, client, server);
        server.From = client.To = new StreamFlow(_traffic.ToClients, server, client);
        foreach (StreamEnd end in (StreamEnd[])[client, server])
        {
            _loop.Add(end);
            end.Watch();
        }
    }

    private void Remark(SocketException exception)
    {
        if (NoRoom.Is(exception))
        {
            _setup.Recorder.Remark(NoRoom.Remark(exception));
        }
    }
}
