namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

// One address has about 28,000 ports (ip_local_port_range) for connections to one server. Over the loopback, when they run short, the next address of
// 127.0.0.0/8 follows.
internal sealed class SourceAddresses(RunRecorder recorder)
{
    private const int MostAddresses = 200;
    private int _moved;

    public IPAddress? Current { get; private set; }

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
