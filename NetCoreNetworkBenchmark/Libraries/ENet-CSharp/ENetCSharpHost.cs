using System.Diagnostics;
using System.Net;
using System.Runtime.CompilerServices;
using ENet;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Libraries.ENetCSharp;

/// <summary>One host on its thread: its creation, draining, flushing, service while idle, and close.</summary>
internal abstract class ENetCSharpHost : IPollable
{
    protected const int ChannelCount = 1;
    private const byte Channel = 0;

    // A host that receives nothing must still be serviced: it retransmits, acknowledges and pings.
    private static readonly long s_longestRest = Stopwatch.Frequency / 10;

    private readonly PacketFlags _flags;
    private readonly byte[] _buffer;
    private long _lastService;
    private bool _hasQueued;
    private bool _disposed;

    protected ENetCSharpHost(PollLoop loop, RunPlan plan)
    {
        Loop = loop;

        // Unthrottled, as with upstream ENet: unreliable packets are not dropped at the sender when round trips become longer.
        _flags = plan.Transmission == Transmission.Reliable ? PacketFlags.Reliable : PacketFlags.UnreliableFragmented | PacketFlags.Unthrottled;

        // One byte more than a message has, so that a message that grew is detected.
        _buffer = new byte[plan.MessageSize + 1];
    }

    public nint SocketHandle { get; private set; }

    protected Host Host { get; } = new();

    protected PollLoop Loop { get; }

    public void OnReadable()
    {
        if (!_disposed)
        {
            Drain();
        }
    }

    public virtual void OnTick()
    {
        if (Loop.Worker.Now - _lastService > s_longestRest)
        {
            OnReadable();
        }
    }

    public void Dispose()
    {
        if (!_disposed)
        {
            _disposed = true;
            CloseConnections();
            Host.Dispose();
        }
    }

    /// <summary>Queues a message; the next flush sends it.</summary>
    public unsafe bool Send(Peer peer, ReadOnlySpan<byte> message)
    {
        Packet packet = default;
        fixed (byte* data = message)
        {
            packet.Create((nint)data, message.Length, _flags);
        }

        if (peer.Send(Channel, ref packet))
        {
            _hasQueued = true;
            return true;
        }

        packet.Dispose();
        return false;
    }

    /// <summary>Sends queued messages. A flush of nothing would still visit every peer.</summary>
    protected void FlushQueued()
    {
        if (_hasQueued)
        {
            _hasQueued = false;
            Host.Flush();
        }
    }

    /// <summary>Creates the native host.</summary>
    /// <exception cref="InvalidOperationException">The host cannot be bound.</exception>
    protected void Create(IPEndPoint? endPoint, int peers, int receiveBuffer)
    {
        if (endPoint is null)
        {
            Host.Create(peers, ChannelCount);
        }
        else
        {
            Host.Create(ToENet(endPoint), peers, ChannelCount);
        }

        SocketHandle = SocketOf(Host);
        SocketBuffers.Reserve(SocketHandle, receiveBuffer);
    }

    /// <summary>
    /// Converts an endpoint to an address of the wrapper. Its sockets are IPv6 sockets and hold IPv4 addresses in mapped form, so both families work.
    /// </summary>
    /// <exception cref="BenchmarkException">The address has a zone, which the wrapper cannot hold.</exception>
    protected static Address ToENet(IPEndPoint endPoint)
    {
        var address = new Address { Port = (ushort)endPoint.Port };
        return address.SetIP(endPoint.Address.ToString())
            ? address
            : throw BenchmarkException.BadInput(
                $"Option --address: ENet-CSharp takes no address with a zone, such as {endPoint.Address}; valid is one without, such as ::1 or 127.0.0.1.");
    }

    protected abstract void OnConnect(Peer peer);

    protected abstract void OnDisconnect(Peer peer);

    protected abstract void OnReceive(Peer peer, ReadOnlySpan<byte> message);

    /// <summary>Notifies every connected peer that this host closes.</summary>
    protected abstract void CloseConnections();

    // The wrapper hides its socket; the native host begins with it (enet.h of the fork), as upstream's does.
    private static unsafe nint SocketOf(Host host)
    {
        nint native = NativeHost(host);
        return OperatingSystem.IsWindows() ? *(nint*)native : *(int*)native;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "nativeHost")]
    private static extern ref nint NativeHost(Host host);

    private void Drain()
    {
        // This call receives from the socket; CheckEvents only returns the events that were received.
        int result = Host.Service(0, out Event found);
        Loop.Worker.ReadClock();
        _lastService = Loop.Worker.Now;
        if (result <= 0)
        {
            // The service call has sent pending packets, such as the answer to a ping. A flush would visit every peer once more.
            return;
        }

        while (result > 0)
        {
            Dispatch(ref found);
            result = Host.CheckEvents(out found);
        }

        // Also if the workload queued nothing: received packets are acknowledged.
        _hasQueued = true;
        FlushQueued();
    }

    private void Dispatch(ref Event found)
    {
        switch (found.Type)
        {
            case EventType.Receive:
                using (Packet packet = found.Packet)
                {
                    OnReceive(found.Peer, Read(packet));
                }

                break;
            case EventType.Connect:
                OnConnect(found.Peer);
                break;
            case EventType.Disconnect or EventType.Timeout:
                OnDisconnect(found.Peer);
                break;
            default:
                break;
        }
    }

    private unsafe ReadOnlySpan<byte> Read(Packet packet)
    {
        int length = Math.Min(packet.Length, _buffer.Length);
        new ReadOnlySpan<byte>((void*)packet.Data, length).CopyTo(_buffer);
        return _buffer.AsSpan(0, length);
    }
}
