namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The program with clients that open one connection after the other, at the server of every library.</summary>
public sealed class HandshakeTests
{
    private const string Load = $"{LoadOfAnyTime} -d 0.2";
    private const string LoadOfAnyTime = "-t Handshake -p 0 -c 5 --warmup 0.05 --any-machine --json";

    [Theory, MemberData(nameof(StreamRun.OverTcpOneInPlain), MemberType = typeof(StreamRun))]
    public Task Every_connection_is_counted_and_every_handshake_is_a_full_one(string library, Protocol protocol) =>
        AssertRunsAsync($"-l {library} -P {protocol}", protocol, library == "Epoll" ? TlsKey.Rsa2048 : TlsKey.P256);

    [Theory]
    [InlineData("-l Epoll --set epoll.architecture=reactor --server-threads 1")]
    [InlineData("-l Epoll --set epoll.architecture=workers --server-threads 2", Traits = ["Category", "Long"])]
    [InlineData("-l Epoll --set epoll.architecture=threads --server-threads 1")]
    [InlineData("-l Epoll --set epoll.architecture=pool --server-threads 3", Traits = ["Category", "Long"])]
    [InlineData("-l Kestrel --set kestrel.layer=http")]
    public async Task Every_architecture_of_Epoll_and_Kestrels_HTTP_serve_them(string server)
    {
        foreach (Protocol protocol in (Protocol[])[Protocol.Tcp, Protocol.Ssl])
        {
            await AssertRunsAsync($"{server} -P {protocol}", protocol, TlsKey.P256);
        }
    }

    [Theory, InlineData(Protocol.Tcp), InlineData(Protocol.Ssl)]
    public async Task Connections_that_are_handed_to_event_loops_are_divided_evenly(Protocol protocol)
    {
        RunResult run = await AssertRunsAsync($"-l Epoll -P {protocol} --set epoll.accept=handoff --server-threads 3", protocol, TlsKey.P256);
        const string Start = "Connections were handed to 3 event loops round-robin: ";
        string[] words = Assert.Single(run.Remarks, remark => remark.StartsWith(Start, StringComparison.Ordinal)).Split(' ');
        long[] counts = [.. words[^3..].Select(word => long.Parse(word.TrimEnd(',', '.'), CultureInfo.InvariantCulture))];

        // Before the load, each client has opened one connection.
        Assert.InRange(counts.Sum(), run.Totals.Received + run.Plan.Clients, long.MaxValue);
        Assert.InRange(counts[0] - counts[2], 0, 1);
    }

    [Theory, InlineData("workers", 2, "ticket"), InlineData("threads", 1, "ticket", Traits = ["Category", "Long"]), InlineData("workers", 1, "session")]
    public async Task A_session_is_resumed_if_that_is_requested(string architecture, int threads, string resumption)
    {
        foreach (string version in (string[])["1.2", "1.3"])
        {
            RunResult run = await RunAsync(
                $"-l Epoll -P Ssl --key P256 --tls {version} --set epoll.architecture={architecture} --server-threads {threads} --resumption {resumption}");
            Assert.Empty(run.InvalidReasons);
            NegotiatedTls resumed = Assert.Single(run.Tls!.Clients, handshake => handshake.ResumedBy == resumption);
            Assert.Equal((version, run.Totals.Received), (resumed.Version, resumed.Count));
        }
    }

    // .NET keeps no sessions with TLS 1.3.
    [Fact]
    public async Task Resumption_that_the_server_does_not_offer_makes_the_run_invalid()
    {
        const string Reason = "handshakes resumed a session by ticket instead of session, which";
        RunResult run = await ProgramInFolder.AnyResultAsync($"-l Sockets --tls 1.3 -P Ssl --key P256 --resumption session {Load}");
        Assert.Contains(Reason, Assert.Single(run.InvalidReasons), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Sockets", "x25519"), InlineData("Sockets", "secp384r1", Traits = ["Category", "Long"])]
    [InlineData("Epoll", "secp256r1", Traits = ["Category", "Long"])]
    public async Task The_group_of_the_key_exchange_is_the_requested_one(string library, string group)
    {
        RunResult run = await RunAsync($"-l {library} -P Ssl --key P256 --group {group}");
        Assert.Equal(group, Assert.Single(run.Tls!.Clients).Group);
    }

    [Fact]
    public async Task A_connection_can_end_right_after_its_handshake()
    {
        RunResult run = await RunAsync("-l Epoll -P Ssl --key P256 --handshake-only");
        Assert.Equal(["TCP connect", "TLS handshake"], run.Clients.Parts!.Select(part => part.Name));
        Assert.Equal(0, run.Errors);
        Assert.InRange(run.Messages.ServerReceived!.Value, 1, long.MaxValue);
        Assert.InRange(run.MessagesPerSecond, 1, double.MaxValue);
    }

    [Fact]
    public async Task Connections_with_a_rate_have_it_and_both_views_of_the_latency_in_their_result()
    {
        RunResult run = await RunAtRateAsync();
        Assert.Equal(200, run.Schedule!.RequestedPerSecond);
        Assert.NotNull(run.Clients.Uncorrected!.Microseconds);
        Assert.InRange(run.LatencyMicroseconds!.Max, run.Clients.Uncorrected.Microseconds.Max, double.MaxValue);
    }

    [Fact, Trait("Category", "Timing")]
    public async Task Connections_begin_on_schedule_and_their_latency_counts_from_when_they_were_due()
    {
        RunResult run = await RunAtRateAsync();
        Assert.InRange(run.Schedule!.SentPerSecond, 150, 250);
        Assert.NotNull(run.Clients.Uncorrected!.Microseconds);
        Assert.InRange(run.LatencyMicroseconds!.P50, run.Clients.Uncorrected.Microseconds.P50, double.MaxValue);
    }

    // On a busy machine the generator is late, and the run says so and exits with 1. The latency counts all the same.
    private static Task<RunResult> RunAtRateAsync() => ProgramInFolder.AnyResultAsync($"-l Epoll -P Tcp --rate 200 {LoadOfAnyTime} -d 0.5");

    private static Task<RunResult> RunAsync(string arguments) => ProgramInFolder.ResultAsync($"{arguments} {Load}");

    private static async Task<RunResult> AssertRunsAsync(string arguments, Protocol protocol, TlsKey key)
    {
        RunResult run = await RunAsync(protocol == Protocol.Ssl && key != TlsKey.Rsa2048 ? $"{arguments} --key {key}" : arguments);
        Assert.Equal((0, 0, "Http", "Epoll"), (run.Errors, run.Lost, run.Framing, run.ClientLibrary));
        Assert.Equal(["TCP connect", "TLS handshake", "Request to last byte"], run.Clients.Parts!.Select(part => part.Name));
        Assert.All(run.Clients.Parts!, part => Assert.InRange(part.Latency.Microseconds!.Max, 0, run.LatencyMicroseconds!.Max));
        double parts = run.Clients.Parts!.Sum(part => part.Latency.Microseconds!.Mean);
        Assert.Equal(1, parts / run.LatencyMicroseconds!.Mean, 0.01);
        if (protocol == Protocol.Ssl)
        {
            // Before the load, each client has opened one connection.
            Assert.Equal(run.Totals.Received + run.Plan.Clients, run.Tls!.Clients.Sum(handshake => handshake.Count));
            Assert.All(run.Tls.Clients, handshake => Assert.False(handshake.Resumed));
            string group = run.Tls.Clients[0].Group!;

            // An accept queue that is full is counted for the whole machine, and so by another test too.
            WorkloadFigure[] alone = [.. run.Clients.Figures!.Where(figure => figure.Name.EndsWith(" alone", StringComparison.Ordinal))];
            Assert.Equal([$"One signature ({key}) alone", $"One key exchange ({group}) alone"], alone.Select(figure => figure.Name));
            Assert.All(alone, figure => Assert.InRange(figure.Value, 1, 1e6));
        }

        Assert.InRange(run.Costs.Combined?.CpuSeconds ?? run.Costs.Server!.CpuSeconds, double.Epsilon, double.MaxValue);
        return run;
    }
}
