using System.Net;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>
/// The end point at which a server that was started by hand is greeted, over TCP. It has the server's own port number if the server serves
/// datagrams, and the next one if it serves a stream, which takes its own.
/// </summary>
internal static class ControlPort
{
    /// <summary>Returns the end point of greetings.</summary>
    /// <param name="protocol">The server's transport.</param>
    /// <param name="server">The end point on which the server serves.</param>
    /// <returns>The end point; null if there is no next port.</returns>
    public static IPEndPoint? Of(Protocol protocol, IPEndPoint server)
    {
        int port = protocol.IsStream() ? server.Port + 1 : server.Port;
        return port > IPEndPoint.MaxPort ? null : new IPEndPoint(server.Address, port);
    }
}
