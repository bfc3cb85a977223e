namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

/// <summary>
/// The connection of a client with itself. TCP connects two calls of connect with each other (RFC 9293, 3.5), so a client whose local port is that of a server
/// that is gone reaches itself, receives what it sends, and keeps the port from the server that starts again.
/// </summary>
public static class SelfConnection
{
    /// <summary>Ends such a connection, so that its port is free at once.</summary>
    /// <exception cref="SocketException">The socket was connected to itself: nobody listens at its end point, so the error is that of a refusal.</exception>
    public static void ThrowIf(Socket socket, EndPoint server)
    {
        if (Is(socket, server))
        {
            socket.Close(0);
            throw new SocketException((int)SocketError.ConnectionRefused);
        }
    }

    /// <summary>Whether a socket that was connected to a server is connected to itself, also if the connection was reset meanwhile.</summary>
    public static bool Is(Socket socket, EndPoint server) => server.Equals(socket.LocalEndPoint);
}
