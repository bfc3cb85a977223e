using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The socket that clients connect to. It opens a connection to the server for each of theirs, and joins the two in both directions.</summary>
/// <param name="setup">The setup of the relay, with the address to bind.</param>
/// <param name="loop">The loop that serves the sockets.</param>
/// <param name="traffic">The impaired traffic of both directions.</param>
internal sealed class StreamListener(RelaySetup setup, PollLoop loop, Traffic traffic) : IRelayListener
{
    private readonly Socket _socket = Listen(setup.EndPoint);

    public IPEndPoint EndPoint => (IPEndPoint)_socket.LocalEndPoint!;

    public int Clients { get; private set; }

    public void Begin() => loop.Add(new Acceptor(loop, _socket, Accept, Remark));

    private static Socket Listen(IPEndPoint endPoint)
    {
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
        try
        {
            socket.Bind(endPoint);
            socket.Listen();
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

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
            server = new Socket(setup.Server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            Prepare(client);
            Prepare(server);
            bool isConnecting = BeginConnect(server, setup.Server);
            Join(new StreamEnd(client, isConnecting: false, loop, traffic.Buffer), new StreamEnd(server, isConnecting, loop, traffic.Buffer));
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
        client.From = server.To = new StreamFlow(traffic.ToServer, client, server);
        server.From = client.To = new StreamFlow(traffic.ToClients, server, client);
        foreach (StreamEnd end in (StreamEnd[])[client, server])
        {
            loop.Add(end);
            end.Watch();
        }
    }

    private void Remark(SocketException exception)
    {
        if (NoRoom.Is(exception))
        {
            setup.Recorder.Remark(NoRoom.Remark(exception));
        }
    }
}
