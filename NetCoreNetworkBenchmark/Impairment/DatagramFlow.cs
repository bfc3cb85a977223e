namespace NetCoreNetworkBenchmark.Impairment;

internal delegate bool DatagramSender(ReadOnlySpan<byte> datagram);

/// <summary>The datagrams of one client in one direction. A datagram that the system does not accept is lost.</summary>
internal sealed class DatagramFlow(Direction direction, DatagramSender send) : Flow(direction)
{
    public override void Leave(Chunk chunk) => Direction.Release(chunk, isTaken: send(chunk.Bytes));
}
