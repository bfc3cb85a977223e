using System.Net;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Workloads.RoundTrips;

namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

/// <summary>The errors that a server counts for clients that leave.</summary>
public sealed class ServerSideTests
{
    private const string Reset = "server ConnectionReset";
    private readonly CountingLibrary _library = new();

    [Fact]
    public async Task Connections_of_clients_that_leave_are_no_errors_however_they_end()
    {
        await using ServerSide server = Start();
        Count(Reset, 3);
        Count(RunRecorder.PeerLost, 3);
        Assert.Equal(new Dictionary<string, long> { [Reset] = 3, [RunRecorder.PeerLost] = 3 }, server.Errors());
        server.ExpectDeparture(2);
        Assert.Equal(new Dictionary<string, long> { [Reset] = 1, [RunRecorder.PeerLost] = 1 }, server.Errors());
        server.ExpectDeparture(1);
        Assert.Empty(server.Errors());
    }

    [Fact]
    public async Task Clients_of_a_process_that_has_gone_are_lost_once_whether_or_not_the_library_notices()
    {
        await using ServerSide server = Start();
        Count(Reset, 1);
        Count(RunRecorder.PeerLost, 1);
        server.CountAbandoned(2);
        Assert.Equal(new Dictionary<string, long> { [RunRecorder.PeerLost] = 2 }, server.Errors());
    }

    [Fact]
    public async Task Other_errors_are_not_taken_for_departures()
    {
        await using ServerSide server = Start();
        server.ExpectDeparture(5);
        Count("server got part of a message", 1);
        Assert.Equal(new Dictionary<string, long> { ["server got part of a message"] = 1 }, server.Errors());
    }

    private ServerSide Start() =>
        new(new RunPlan { Library = "Counting", Protocol = Protocol.Tcp }, _library, new PingPong(), new IPEndPoint(IPAddress.Loopback, 0), new ProcessMeter());

    private void Count(string error, int times)
    {
        for (int time = 0; time < times; time++)
        {
            _library.Recorder!.CountError(error);
        }
    }

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
