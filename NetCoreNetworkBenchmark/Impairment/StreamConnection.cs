using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>A client's connection to the relay and the relay's to the server, joined both ways.</summary>
internal sealed class StreamConnection
{
    private readonly StreamFlow _toServer;
    private readonly StreamFlow _toClient;

    private StreamConnection(Socket client, Socket server, bool isConnecting, StreamTraffic traffic, PollLoop loop)
    {
        // The loop owns them from here on.
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

    /// <summary>Joins a client to the server; the client is closed where the server cannot be reached.</summary>
    /// <param name="client">The client's socket.</param>
    /// <param name="endPoint">Where the server is.</param>
    /// <param name="traffic">What happens on the way.</param>
    /// <param name="loop">Serves both.</param>
    /// <returns>Why it could not; null where it could.</returns>
    public static SocketException? TryOpen(Socket client, IPEndPoint endPoint, StreamTraffic traffic, PollLoop loop)
    {
        Socket? server = null;
        try
        {
            server = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            Prepare(client);
            Prepare(server);
            bool isConnecting = BeginConnect(server, endPoint);
            _ = new StreamConnection(client, server, isConnecting, traffic, loop);
            return null;
        }
        catch (SocketException exception)
        {
            // The client learns it as of any server that is gone.
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
