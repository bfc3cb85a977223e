using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>A client's connection to the relay and the relay's connection to the server, joined in both directions.</summary>
internal sealed class RelayedConnection
{
    private readonly StreamFlow _toServer;
    private readonly StreamFlow _toClient;

    private RelayedConnection(Socket client, Socket server, bool isConnecting, StreamTraffic traffic, PollLoop loop)
    {
        // The loop owns the sockets from here on.
        StreamEnd clientEnd = new(client, isConnecting: false, this, loop, traffic.Buffer);
        StreamEnd serverEnd = new(server, isConnecting, this, loop, traffic.Buffer);
        clientEnd.From = serverEnd.To = _toServer = new StreamFlow(traffic.ToServer, clientEnd, serverEnd);
        serverEnd.From = clientEnd.To = _toClient = new StreamFlow(traffic.ToClients, serverEnd, clientEnd);
        foreach (StreamEnd end in (StreamEnd[])[clientEnd, serverEnd])
        {
            loop.Add(end);
            end.Watch();
        }
    }

    /// <summary>Joins a client to the server. The client is closed if the server cannot be reached.</summary>
    /// <param name="client">The client's socket.</param>
    /// <param name="endPoint">The address of the server.</param>
    /// <param name="traffic">The impaired traffic of both directions.</param>
    /// <param name="loop">The event loop that serves both sockets.</param>
    /// <returns>The error; null if the connection was opened.</returns>
    public static SocketException? TryOpen(Socket client, IPEndPoint endPoint, StreamTraffic traffic, PollLoop loop)
    {
        Socket? server = null;
        try
        {
            server = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            Prepare(client);
            Prepare(server);
            bool isConnecting = BeginConnect(server, endPoint);
            _ = new RelayedConnection(client, server, isConnecting, traffic, loop);
            return null;
        }
        catch (SocketException exception)
        {
            // The client sees the same error as with any server that is gone.
            client.Close(0);
            server?.Dispose();
            return exception;
        }
    }

    /// <summary>Closes both ends, because one of them is broken.</summary>
    public void Break()
    {
        _toServer.Break();
        _toClient.Break();
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
}
