using System.Net;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>
/// Where a server that was started by hand is greeted, over TCP: on its own port number where it serves datagrams, and on the next one where
/// it serves a stream, which takes its own.
/// </summary>
internal static class ControlPort
{
    /// <summary>The end point of greetings.</summary>
    /// <param name="protocol">The server's transport.</param>
    /// <param name="server">Where it serves.</param>
    /// <returns>Null where there is no next port.</returns>
    public static IPEndPoint? Of(Protocol protocol, IPEndPoint server)
    {
        int port = protocol.IsStream() ? server.Port + 1 : server.Port;
        return port > IPEndPoint.MaxPort ? null : new IPEndPoint(server.Address, port);
    }
}
