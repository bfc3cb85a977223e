using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>
/// The source address of connections over the loopback. One address has about 28,000 ports (ip_local_port_range) for connections to one server. When they
/// run short, the next address of 127.0.0.0/8 follows.
/// </summary>
internal sealed class SourceAddresses(RunRecorder recorder)
{
    private const int MostAddresses = 200;
    private int _moved;

    /// <summary>The address; null for the one that the system chooses.</summary>
    public IPAddress? Current { get; private set; }

    /// <summary>Moves on to the next address.</summary>
    /// <param name="server">The server of the connections.</param>
    /// <returns>True if there is another address; false if the server is not on the loopback of IPv4, or if all have been used.</returns>
    public bool TryMoveOn(IPEndPoint server)
    {
        if (server.AddressFamily != AddressFamily.InterNetwork || !IPAddress.IsLoopback(server.Address) || _moved == MostAddresses)
        {
            return false;
        }

        _moved++;
        Current = new IPAddress([127, 0, 1, (byte)_moved]);
        recorder.Remark("The ports of one address ran short, so the clients opened connections from several addresses of 127.0.0.0/8.");
        return true;
    }
}
