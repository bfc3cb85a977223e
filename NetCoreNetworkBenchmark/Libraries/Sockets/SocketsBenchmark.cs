using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Sockets;

/// <summary>
/// UDP on .NET's own sockets and nothing else: the floor under every library. A blocking thread serves the server's socket, or
/// several on Linux a socket each; the clients have a connected socket each and share a few polled threads.
/// </summary>
public sealed class SocketsBenchmark : INetworkBenchmark
{
    /// <inheritdoc/>
    public LibraryInfo Info { get; } = new()
    {
        Name = "Sockets",
        Version = Environment.Version.ToString(),
        Protocols = [Protocol.Udp],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram)],
        MostServerThreads = SharedPort.IsSupported ? null : 1,
        ClientThreadsByPlan = true,
        ClientRank = 1,
    };

    /// <inheritdoc/>
    public IBenchmarkServer StartServer(ServerSetup setup) => ServerGroup.Start(setup, each => new SocketsServer(each));

    /// <inheritdoc/>
    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) =>
        PolledClientGroup.ConnectAsync(
            Info.Name, setup, (loop, observer) => new SocketsClient(setup, loop, observer), cancellationToken);

    internal static void IgnoreUnreachable(Socket socket)
    {
        // On Windows a datagram to a closed port makes the next receive fail (ICMP port unreachable), whoever it comes from.
        const int SIO_UDP_CONNRESET = -1744830452;
        if (OperatingSystem.IsWindows())
        {
            socket.IOControl(SIO_UDP_CONNRESET, [0], null);
        }
    }
}
