using NetCoreNetworkBenchmark.Workloads.Handshakes;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>The account of connections, without a network and without time that passes by itself.</summary>
public sealed class HandshakeClientsTests
{
    private const long Later = 1_000_000_000;

    [Fact]
    public void With_a_rate_a_connection_is_counted_in_the_phase_in_which_it_was_due()
    {
        using var load = new Load(isPaced: true);
        long start = load.Recorder.Enter(RunPhase.Measure);
        Assert.True(load.Clients.OnOpening(start - 1, load.Worker));
        Assert.True(load.Clients.OnOpening(start, load.Worker));
        long end = load.Recorder.Enter(RunPhase.Drain);
        Assert.True(load.Clients.OnOpening(end - 1, load.Worker));
        Assert.False(load.Clients.OnOpening(end, load.Worker));
        load.Complete(start - 1);
        load.Complete(start);
        load.Clients.OnFailed(end - 1, "refused", load.Worker);
        Assert.Equal(((1, 1, 0), (2, 1, 1), (0, 0, 0)), (load.CountsOf(RunPhase.WarmUp), load.CountsOf(RunPhase.Measure), load.CountsOf(RunPhase.Drain)));
        Assert.Equal(1, load.Recorder.Latency().Count);
        Assert.All(load.Clients.Parts, part => Assert.Equal(1, part.Histogram.Count));
    }

    [Theory, InlineData(null, "GET / HTTP/1.1\r\n", false), InlineData("/a?b", "GET /a?b HTTP/1.1\r\n", true)]
    public void Clients_request_the_path_and_accept_any_status_for_a_given_one(string? path, string line, bool acceptsAny)
    {
        var workload = new Handshake();
        var plan = new RunPlan { Library = "x" };
        plan = path is null ? plan : workload.Options.Single(option => option.Name == "--path").Apply(plan, path);
        using var recorder = new RunRecorder();
        IConnectionHandler clients = workload.CreateConnectionHandler(plan, recorder);
        Encoding.ASCII.GetString(clients.Request.Span).AssertBegins(line);
        Assert.Equal(acceptsAny, clients.AcceptsAnyStatus);
    }

    [Fact]
    public void Without_a_rate_a_connection_is_counted_when_it_is_complete()
    {
        using var load = new Load(isPaced: false);
        Assert.True(load.Clients.OnOpening(load.Worker.Now, load.Worker));
        load.Recorder.Enter(RunPhase.Measure);
        load.Complete(load.Worker.Now);
        load.Recorder.Enter(RunPhase.Drain);
        Assert.False(load.Clients.OnOpening(load.Worker.Now, load.Worker));
        Assert.Equal(((1, 0, 0), (0, 1, 0)), (load.CountsOf(RunPhase.WarmUp), load.CountsOf(RunPhase.Measure)));
    }

    [Fact]
    public void A_request_is_unsolicited_if_the_clients_send_none()
    {
        using var recorder = new RunRecorder();
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: false);
        var peer = new RecordingPeer();
        new HandshakeServer(recorder, answer: []).OnMessage(peer, "GET / HTTP/1.1\r\n\r\n"u8, worker);
        Assert.Empty(peer.Sent);
        Assert.Equal(1, recorder.Unsolicited()[UnsolicitedTraffic.Connections]);
    }

    private sealed class Load : IDisposable
    {
        public Load(bool isPaced)
        {
            Clients = new HandshakeClients(new RunPlan { Library = "Sockets", Rate = isPaced ? 1 : null }, Recorder, default);
            Worker = Recorder.AddWorker(recordsLatency: true);
            Recorder.Enter(RunPhase.WarmUp);
            Worker.ReadClock();
        }

        public RunRecorder Recorder { get; } = new(openLoop: true);
        public IConnectionHandler Clients { get; }
        public WorkerStatistics Worker { get; }

        public void Complete(long due) => Clients.OnCompleted(new ConnectionTimes(due, due, due, due, due + Later), Worker);

        public (long Sent, long Received, long GivenUp) CountsOf(RunPhase phase) =>
            Worker.Of(phase).Counters is var counters ? (counters.ClientSent, counters.ClientReceived, counters.GivenUp) : default;

        public void Dispose() => Recorder.Dispose();
    }
}

public sealed class HandshakeTests
{
    private static readonly NegotiatedTls s_full = new("1.3", "TLS_AES_256_GCM_SHA384", "x25519", Resumed: false) { Count = 50, Key = "Rsa2048" };

    [Theory, InlineData(TlsPlan.BySession, TlsPlan.ByTicket), InlineData(TlsPlan.ByTicket, TlsPlan.BySession)]
    public void FindFaults_names_a_session_that_was_resumed_by_other_means_than_requested(string requested, string how)
    {
        NegotiatedTls resumed = s_full with { Resumed = true, ResumedBy = how, Count = 7 };
        string fault = Assert.Single(FaultsOf(new TlsPlan { Resumption = requested }, resumed));
        fault.AssertBegins($"7 handshakes resumed a session by {how} instead of {requested}, which ");
        Assert.Empty(FaultsOf(new TlsPlan { Resumption = how }, resumed));
    }

    private static IEnumerable<string> FaultsOf(TlsPlan tls, NegotiatedTls handshakes) => new Handshake().FindFaults(
        new RunPlan { Library = "Sockets", Tls = tls },
        new LoadOutcome { Server = "the server", Handshakes = [handshakes] });
}
