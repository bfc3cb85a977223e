using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>
/// The end point at which a server that was started by hand is greeted, over TCP. It has the server's own port number if the server receives
/// datagrams, and the next one if the server itself takes that port of TCP.
/// </summary>
internal static class ControlPort
{
    /// <summary>Returns the end point of greetings, as clients reach it.</summary>
    /// <param name="protocol">The server's transport.</param>
    /// <param name="server">The end point on which the server serves.</param>
    /// <returns>The end point; null if there is no next port.</returns>
    public static IPEndPoint? Of(Protocol protocol, IPEndPoint server)
    {
        int port = protocol.IsOverTcp() ? server.Port + 1 : server.Port;
        return port > IPEndPoint.MaxPort ? null : new IPEndPoint(server.Address, port);
    }

    /// <summary>
    /// Returns the address to which a server binds the port. By default it is of the loopback: who greets a server can take its clients' places, and
    /// nothing there is encrypted or authenticated.
    /// </summary>
    /// <param name="access">Who may greet the server.</param>
    /// <param name="server">The address on which the server serves.</param>
    public static IPAddress AddressOf(ControlAccess access, IPAddress server) => access switch
    {
        _ when access == ControlAccess.Any || IPAddress.IsLoopback(server) => server,
        _ when server.AddressFamily == AddressFamily.InterNetworkV6 => IPAddress.IPv6Loopback,
        _ => IPAddress.Loopback,
    };
}

/// <summary>The values of <c>--control</c>: who may greet a server.</summary>
internal enum ControlAccess
{
    /// <summary>Processes of the server's machine.</summary>
    Loopback,

    /// <summary>Every process that reaches the server.</summary>
    Any,
}
