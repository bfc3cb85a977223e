namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Datagrams;

public sealed class DatagramConnectionTests : IDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly ClientActions _handler = new();
    private readonly Observer _observer = new();
    private readonly WorkerStatistics _worker;
    private readonly DatagramConnection _connection;

    public DatagramConnectionTests()
    {
        _worker = _recorder.AddWorker(recordsLatency: false);
        _connection = new DatagramConnection(Setups.OfClients(new RunPlan { Library = "Sockets" }, _recorder, _handler), new NoPeer(), _observer, () => { });
    }

    [Fact]
    public void A_close_before_the_connect_is_reported_at_once()
    {
        _connection.OnDatagram(DatagramHandshake.Bye, _worker);
        Assert.Equal("the server closed the connection before it was established", _observer.Reason);
        Assert.Equal((true, false, 0), (_connection.IsClosed, _connection.IsConnected, _handler.Closed.Count));
    }

    [Fact]
    public void A_second_close_does_nothing()
    {
        _connection.OnDatagram(DatagramHandshake.Welcome, _worker);
        _connection.OnDatagram(DatagramHandshake.Bye, _worker);
        _connection.OnDatagram(DatagramHandshake.Bye, _worker);
        Assert.Equal((1, 1, null), (_handler.Connected.Count, _handler.Closed.Count, _observer.Reason));
    }

    public void Dispose() => _recorder.Dispose();

    private sealed class Observer : IConnectObserver
    {
        public string? Reason { get; private set; }

        public void Connected() { }

        public void Refused(string reason) => Reason = reason;
    }

    private sealed class NoPeer : IPeer
    {
        public object? State { get; set; }

        public bool Send(ReadOnlySpan<byte> message) => true;

        public void Close() { }
    }
}
