namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// The IP packets of a datagram on Ethernet. One that is larger than the MTU leaves in fragments, each with its own header (RFC 791; RFC 8200 adds a header of
/// 8 bytes). The data of all fragments but the last is a multiple of 8 bytes.
/// </summary>
internal sealed class DatagramPackets(int ipHeaderBytes, int udpHeaderBytes)
{
    public const int Mtu = 1500;
    private const int IPv6HeaderBytes = 40;
    private const int IPv6FragmentHeaderBytes = 8;
    private const int FragmentUnit = 8;

    private readonly int _fragmentHeader = ipHeaderBytes == IPv6HeaderBytes ? ipHeaderBytes + IPv6FragmentHeaderBytes : ipHeaderBytes;

    public int HeaderBytes => ipHeaderBytes + udpHeaderBytes;

    public (int Packets, int Bytes) Of(int payloadBytes)
    {
        int data = udpHeaderBytes + payloadBytes;
        if (ipHeaderBytes + data <= Mtu)
        {
            return (1, ipHeaderBytes + data);
        }

        int maxInFragment = (Mtu - _fragmentHeader) / FragmentUnit * FragmentUnit;
        int fragments = (data + maxInFragment - 1) / maxInFragment;
        return (fragments, data + (fragments * _fragmentHeader));
    }
}
