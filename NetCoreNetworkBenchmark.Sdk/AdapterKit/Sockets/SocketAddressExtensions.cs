namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

/// <summary>A method for <see cref="SocketAddress"/>.</summary>
public static class SocketAddressExtensions
{
    /// <summary>Copies an address. The one that a receive call writes to changes with every datagram, so it cannot be a key.</summary>
    public static SocketAddress Copy(this SocketAddress address)
    {
        var copy = new SocketAddress(address.Family, address.Size);
        address.Buffer.Span[..address.Size].CopyTo(copy.Buffer.Span);
        return copy;
    }
}
