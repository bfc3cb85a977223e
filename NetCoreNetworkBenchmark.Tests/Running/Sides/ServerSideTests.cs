namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

public sealed class ServerSideTests
{
    private readonly CountingLibrary _library = new();

    [Theory, InlineData(false), InlineData(true)]
    public async Task Ends_of_connections_are_errors_unless_clients_come_and_go(bool expectsDisconnects)
    {
        const string Reset = "server ConnectionReset";
        await using ServerSide server = Start(expectsDisconnects);
        _library.Recorder!.CountDisconnect(Reset);
        _library.Recorder.CountDisconnect(RunRecorder.PeerLost);
        _library.Recorder.CountError("server received part of a message");
        ServerReport report = server.Report(server.Mark());
        Assert.Equal(expectsDisconnects ? 1 : 3, report.Errors.Values.Sum());
        Assert.Equal(expectsDisconnects ? [KeyValuePair.Create(Reset, 1L)] : [], report.Disconnects);
    }

    private ServerSide Start(bool expectsDisconnects) => new(
        new RunPlan { Library = "Counting", Protocol = Protocol.Tcp },
        _library,
        new PingPong(),
        new IPEndPoint(IPAddress.Loopback, 0),
        new ProcessMeter(),
        expectsDisconnects: expectsDisconnects);

    /// <summary>A library without a network that lets the test count any error.</summary>
    private sealed class CountingLibrary : INetworkBenchmark
    {
        public RunRecorder? Recorder { get; private set; }
        public LibraryInfo Info { get; } = new() { Name = "Counting", Version = "1.0", Protocols = [Protocol.Tcp], Transmissions = [] };

        public IBenchmarkServer StartServer(ServerSetup setup)
        {
            Recorder = setup.Recorder;
            return new NoServer();
        }

        public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) => throw new NotSupportedException();
    }

    private sealed class NoServer : IBenchmarkServer
    {
        public IPEndPoint EndPoint { get; } = new(IPAddress.Loopback, 1);

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
