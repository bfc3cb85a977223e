namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>A device that IP packets are read from and written to. Its descriptor is ready if there is a packet to read.</summary>
internal interface IPacketDevice
{
    nint Descriptor { get; }

    /// <returns>The length of the packet; 0 if there was none after all.</returns>
    int Read(Span<byte> packet);

    void Write(ReadOnlySpan<byte> packet);
}

// The packets of a direction are one flow, whatever connections they are of.
internal sealed class PacketListener(IPacketDevice server, IPacketDevice client, IPEndPoint endPoint, PollLoop loop, Traffic traffic) : IRelayListener
{
    private readonly PacketEnd[] _ends =
    [
        new(client, new PacketFlow(traffic.ToServer, server), traffic.Buffer, loop),
        new(server, new PacketFlow(traffic.ToClients, client), traffic.Buffer, loop),
    ];

    public IPEndPoint EndPoint => endPoint;

    // The addresses are those of the two devices.
    public int Clients => 0;

    public void Begin() => Array.ForEach(_ends, end => loop.Add(end));

    public void Dispose()
    {
        // The devices outlive the relay.
    }

    private sealed class PacketEnd(IPacketDevice device, PacketFlow flow, byte[] buffer, PollLoop loop) : IPollable
    {
        public nint SocketHandle => device.Descriptor;

        // The descriptor blocks, so there is one read for each time that it is ready.
        public void OnReadable()
        {
            int length = device.Read(buffer);
            if (length > 0)
            {
                flow.Arrive(buffer.AsSpan(0, length), Stopwatch.GetTimestamp());
            }

            loop.Worker.ReadClock();
        }

        public void Dispose()
        {
            // The device outlives the relay.
        }
    }

    private sealed class PacketFlow(Direction direction, IPacketDevice target) : Flow(direction)
    {
        public override void Leave(Packet packet)
        {
            target.Write(packet.Bytes);
            Direction.Release(packet, isTaken: true);
        }
    }
}
