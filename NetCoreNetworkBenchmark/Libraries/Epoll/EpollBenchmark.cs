using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>
/// UDP on Linux' own calls: epoll, recvmmsg, sendmmsg, GSO and GRO. It is what the kernel can do for a .NET program, so that a library's row
/// can be read against it.
/// </summary>
public sealed class EpollBenchmark : INetworkBenchmark
{
    /// <inheritdoc/>
    public LibraryInfo Info { get; } = new()
    {
        Name = "Epoll",
        Version = Environment.OSVersion.Version.ToString(),
        Protocols = [Protocol.Udp],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram)],
        Unavailable = OperatingSystem.IsLinux() ? null : "it uses system calls that only Linux has.",
    };

    private static BatchMode Mode => Enum.Parse<BatchMode>(Environment.GetEnvironmentVariable("EPOLL_BATCH") ?? "mmsg", ignoreCase: true);

    /// <inheritdoc/>
    public IBenchmarkServer StartServer(ServerSetup setup) =>
        PolledServer.Start(Info.Name, setup, loop => new EpollServer(setup, loop, Bind(setup, Mode), Mode));

    /// <inheritdoc/>
    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        var memory = new ConcurrentDictionary<PollLoop, BatchMemory>();
        return PolledClientGroup.ConnectAsync(
            Info.Name,
            setup,
            (loop, observer) => new EpollClient(setup, loop, observer, Connect(setup, Mode), memory.GetOrAdd(loop, _ => BatchMemory.OfClients(Mode, setup.Plan))),
            cancellationToken);
    }

    internal static Socket Create(IPEndPoint endPoint, int receiveBuffer, BatchMode mode)
    {
        var socket = new Socket(endPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        SocketBuffers.Reserve(socket, receiveBuffer);
        if (mode == BatchMode.Gso)
        {
            Span<byte> on = [1, 0, 0, 0];
            socket.SetRawSocketOption(NetinetUdp.SOL_UDP, NetinetUdp.UDP_GRO, on);
        }

        return socket;
    }

    private static Socket Bind(ServerSetup setup, BatchMode mode)
    {
        Socket socket = Create(setup.EndPoint, SocketBuffers.NeededByServer(setup.Plan), mode);
        try
        {
            socket.Bind(setup.EndPoint);
            return socket;
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            throw BindFailure.Explain(setup.EndPoint, exception);
        }
    }

    private static Socket Connect(ClientSetup setup, BatchMode mode)
    {
        Socket socket = Create(setup.EndPoint, SocketBuffers.NeededByClient(setup.Plan), mode);
        socket.Connect(setup.EndPoint);
        return socket;
    }
}
