using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The real program with clients that open one connection after the other, at the server of every library.</summary>
public sealed class HandshakeTests : IDisposable
{
    private const string Load = "-t Handshake -p 0 -c 5 --warmup 0.2 -d 0.5 --any-machine --json";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-");

    [Theory]
    [MemberData(nameof(StreamRun.Streams), MemberType = typeof(StreamRun))]
    public Task Every_connection_is_counted_and_every_handshake_is_a_full_one(string library, Protocol protocol) =>
        AssertRunsAsync($"-l {library} -P {protocol}", protocol);

    [Theory]
    [InlineData("reactor", 1)]
    [InlineData("workers", 2)]
    [InlineData("threads", 1)]
    [InlineData("pool", 3)]
    public async Task Every_architecture_of_Epoll_serves_them(string architecture, int threads)
    {
        foreach (Protocol protocol in (Protocol[])[Protocol.Tcp, Protocol.Ssl])
        {
            await AssertRunsAsync($"-l Epoll -P {protocol} --set epoll.architecture={architecture} --server-threads {threads}", protocol);
        }
    }

    [Theory]
    [InlineData(Protocol.Tcp)]
    [InlineData(Protocol.Ssl)]
    public async Task Connections_that_are_handed_to_event_loops_are_divided_evenly(Protocol protocol)
    {
        RunResult run = await AssertRunsAsync($"-l Epoll -P {protocol} --set epoll.accept=handoff --server-threads 3", protocol);
        string[] words = Assert.Single(run.Remarks, remark => remark.StartsWith("Connections were handed to 3 event loops in turn: ", StringComparison.Ordinal))
            .Split(' ');
        long[] counts = [.. words[^3..].Select(word => long.Parse(word.TrimEnd(',', '.'), CultureInfo.InvariantCulture))];

        // Before the load, each client has opened one connection.
        Assert.InRange(counts.Sum(), run.Totals.Received + run.Clients, long.MaxValue);
        Assert.InRange(counts[0] - counts[2], 0, 1);
    }

    [Theory]
    [InlineData(Protocol.Tcp)]
    [InlineData(Protocol.Ssl)]
    public Task Kestrels_HTTP_serves_them(Protocol protocol) => AssertRunsAsync($"-l Kestrel -P {protocol} --set kestrel.layer=http", protocol);

    [Theory]
    [InlineData("workers", 2, "ticket")]
    [InlineData("threads", 1, "ticket")]
    [InlineData("workers", 1, "session")]
    public async Task A_session_is_resumed_if_that_is_requested(string architecture, int threads, string resumption)
    {
        foreach (string version in (string[])["1.2", "1.3"])
        {
            RunResult run = await RunAsync(
                $"-l Epoll -P Ssl --tls {version} --set epoll.architecture={architecture} --server-threads {threads} --resumption {resumption}");
            Assert.Empty(run.InvalidReasons);
            TlsHandshakes resumed = Assert.Single(run.Tls!.Clients, handshake => handshake.Resumed == true);
            Assert.Equal(run.Totals.Received, resumed.Count);
        }
    }

    [Fact]
    public async Task Resumption_that_the_server_does_not_offer_makes_the_run_invalid()
    {
        // Each thread has a cache of its own, so a client that comes to another thread is not known there.
        (int code, string output, _) = await BenchmarkProcess.RunLineAsync(
            $"-l Epoll -P Ssl --resumption session --server-threads 2 {Load}");
        Assert.Equal(1, code);
        RunResult run = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.Contains("were full ones", Assert.Single(run.InvalidReasons), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("x25519")]
    [InlineData("secp384r1")]
    public async Task The_group_of_the_key_exchange_is_the_requested_one(string group)
    {
        RunResult run = await RunAsync($"-l Sockets -P Ssl --group {group}");
        Assert.Equal(group, Assert.Single(run.Tls!.Clients).Group);
    }

    [Fact]
    public async Task A_connection_can_end_right_after_its_handshake()
    {
        RunResult run = await RunAsync("-l Epoll -P Ssl --handshake-only");
        Assert.Equal(["TCP connect", "TLS handshake"], run.Parts!.Select(part => part.Name));
        Assert.Equal(0, run.Errors);
        Assert.InRange(run.Messages.ServerReceived!.Value, 1, long.MaxValue);
        Assert.InRange(run.MessagesPerSecond, 1, double.MaxValue);
    }

    [Fact]
    public async Task Connections_begin_on_schedule_and_their_latency_counts_from_when_they_were_due()
    {
        // On a busy machine the generator is late, and the run says so and exits with 1. The latency counts all the same.
        (_, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-l Epoll -P Tcp --rate 200 {Load}");
        Assert.True(output.Length > 0, errors);
        RunResult run = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.InRange(run.Schedule!.SentPerSecond, 150, 250);
        Assert.NotNull(run.UncorrectedLatencyMicroseconds);
        Assert.InRange(run.LatencyMicroseconds!.P50, run.UncorrectedLatencyMicroseconds.P50, double.MaxValue);
    }

    [Theory]
    [InlineData("-l Sockets", "Option --protocol: Handshake opens connections and Udp has none; valid is Tcp or Ssl.")]
    [InlineData("-l Kestrel -P Ssl --client-library Sockets", "Option --client-library: the clients of Sockets do not open one connection")]
    [InlineData("-l Sockets -P Ssl --resumption maybe", "Option --resumption: 'maybe' is not valid")]
    [InlineData("-l Sockets -P Ssl --framing length", "Option --framing does not go with the test Handshake")]
    [InlineData("-l Epoll -P Ssl -t RoundTrip --set epoll.architecture=pool", "Option --set: Epoll.architecture=pool serves connections that end soon")]
    [InlineData("-b=tls-matrix -l ENet", "Option --library: 'ENet' is not valid; valid are Epoll, Kestrel, ")]
    [InlineData("-l Kestrel -P Tcp -t RoundTrip --set kestrel.layer=http", "Option --set: Kestrel.layer=http serves connections that end soon")]
    [InlineData("-l Epoll -P Ssl --server-threads 2 --set epoll.architecture=reactor", "Option --server-threads: 2 are more than the one thread")]
    [InlineData(
        "-l Epoll -P Tcp --set epoll.accept=handoff --set epoll.architecture=threads",
        "Option --set: with epoll.architecture=threads there are no loops to hand connections to, so valid is epoll.accept=reuseport. See --help.")]
    [InlineData("-l Epoll -P Tcp --set epoll.accept=main", "Option --set: 'main' is not valid for Epoll.accept; valid are reuseport, handoff.")]
    [InlineData("-l Epoll -P Udp -t PingPong --set epoll.accept=handoff", "Option --set: Epoll.accept has no effect over Udp; it is for Tcp and Ssl.")]
    public async Task What_it_cannot_do_is_refused_with_one_sentence(string arguments, string sentence)
    {
        string test = arguments.Contains("-t ", StringComparison.Ordinal) ? string.Empty : "-t Handshake ";
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync($"{test}-p 0 {arguments}");
        Assert.Equal((2, string.Empty), (code, output));
        Assert.StartsWith($"Error: {sentence}", Assert.Single(BenchmarkProcess.WithoutWarnings(errors)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_does_not_speak_TLS_fails_the_run_with_its_reason()
    {
        using BenchmarkProcess server = BenchmarkProcess.Start("--role Server -p 0 -l Epoll -P Tcp -t Handshake".Split(' '));
        string port = await server.PortAsync();
        CertificateFolder.Write(_folder.FullName, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);
        (int code, _, string errors) = await BenchmarkProcess.RunLineAsync(
            $"--role Client -l Epoll -P Ssl --authority {_folder.FullName}/ca.crt -p {port} -t Handshake -c 2 -d 0.2");
        Assert.Equal(1, code);
        Assert.Contains("Error: ", errors, StringComparison.Ordinal);
        await server.InterruptAsync();
        Assert.Equal(0, (await server.EndAsync()).ExitCode);
    }

    [Theory]
    [InlineData("reactor", 300, true)]
    [InlineData("workers", 300, true)]
    [InlineData("threads", 300, true)]
    [InlineData("pool", 300, false)]
    public Task Clients_that_stall_in_their_handshake_starve_a_pool_and_no_other(string architecture, int stalled, bool serves) =>
        AssertServesBesideStalledAsync(architecture, stalled, serves);

    [Theory]
    [InlineData("reactor", 10_000, true)]
    [InlineData("workers", 10_000, true)]
    [InlineData("threads", 10_000, false)]
    [Trait("Category", "Long")]
    public Task Ten_thousand_clients_that_stall_starve_no_event_loop(string architecture, int stalled, bool serves) =>
        AssertServesBesideStalledAsync(architecture, stalled, serves);

    [Theory]
    [InlineData("reactor", true)]
    [InlineData("threads", false)]
    public async Task A_server_without_descriptors_lives_and_serves_again_when_there_are_some(string architecture, bool closes)
    {
        // An event loop closes connections that it cannot serve. With blocking calls they wait in the accept queue.
        string load = $"-l Epoll -P Tcp -t Handshake -c 4 --set epoll.architecture={architecture}";
        using BenchmarkProcess server = BenchmarkProcess.StartWithDescriptors(300, $"--role Server -p 0 --json {load}".Split(' '));
        string port = await server.PortAsync();
        string client = $"--role Client {load} -p {port} --warmup 0.1 -d 0.2 --any-machine";
        int code;
        string errors;
        using (new SilentConnections(port, 400))
        {
            (code, _, errors) = await BenchmarkProcess.RunLineAsync(client);
            Assert.True(code == 1, errors);
        }

        (code, _, errors) = await BenchmarkProcess.RunLineAsync(client);
        Assert.True(code == 0, errors);
        await server.InterruptAsync();
        (code, string output, errors) = await server.EndAsync();
        Assert.True(code == 0, errors);
        Assert.Equal(closes, output.Contains("server TooManyOpenSockets", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_server_that_is_killed_ends_the_run_with_the_reason()
    {
        const string Both = "-l Epoll -P Ssl -t Handshake -c 4";
        using BenchmarkProcess server = BenchmarkProcess.Start($"--role Server -p 0 {Both}".Split(' '));
        string port = await server.PortAsync();
        using BenchmarkProcess clients = BenchmarkProcess.Start($"--role Client {Both} -p {port} -d 60 --any-machine --verbose".Split(' '));
        await clients.MeasuringAsync();
        server.Kill();
        (int code, _, string errors) = await clients.EndAsync();
        Assert.Equal(1, code);
        Assert.Contains("Error: ", errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clients_use_more_source_addresses_when_ports_run_short()
    {
        // Two hundred ports for three hundred clients, in a network namespace of the test's own.
        string program = typeof(NetCoreNetworkBenchmark.Running.Discovery.Catalog).Assembly.Location;
        string inside = "ip link set lo up && echo '40000 40199' > /proc/sys/net/ipv4/ip_local_port_range && "
            + $"exec dotnet {program} -l Epoll -P Tcp -t Handshake -p 3333 -c 300 --warmup 0.1 -d 0.2 --any-machine --json";
        using Process process = Process.Start(
            new ProcessStartInfo("unshare", ["-n", "sh", "-c", inside]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        Task<string> said = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        string output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.SkipWhen((await said).Contains("unshare failed", StringComparison.Ordinal), "This user cannot make a network namespace.");
        Assert.True(process.ExitCode == 0, await said);
        RunResult run = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.Contains(run.Remarks, remark => remark.Contains("several addresses of 127.0.0.0/8", StringComparison.Ordinal));
        Assert.Equal(0, run.Errors);
    }

    [Fact]
    public async Task A_certificate_that_is_not_trusted_fails_the_run_with_its_reason()
    {
        CertificateFolder.Write(_folder.FullName, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-l Epoll -P Ssl --authority {_folder.FullName}/ca.crt {Load}");
        Assert.Equal((1, string.Empty), (code, output));
        Assert.Contains("is not signed by an authority that is trusted", Assert.Single(BenchmarkProcess.WithoutWarnings(errors)), StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static async Task<RunResult> RunAsync(string arguments)
    {
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync($"{arguments} {Load}");
        Assert.True(code == 0, errors + output);
        return JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
    }

    private static async Task AssertServesBesideStalledAsync(string architecture, int count, bool serves)
    {
        string load = $"-l Epoll -P Ssl -t Handshake -c 4 --set epoll.architecture={architecture} --set epoll.send=message";
        using BenchmarkProcess server = BenchmarkProcess.Start($"--role Server -p 0 {load}".Split(' '));
        string port = await server.PortAsync();
        using var stalled = new SilentConnections(port, count);
        (_, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"--role Client {load} -p {port} --warmup 0.2 -d 0.3 --any-machine --json");
        if (serves)
        {
            // On a slow machine the server has ended some stalled connections by then, which are errors of it.
            RunResult run = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
            Assert.InRange(run.Totals.Received, 4, long.MaxValue);
            Assert.Equal(0, run.Lost);
        }
        else
        {
            Assert.Equal(string.Empty, output);
            Assert.Contains("it did not complete the TLS handshake within 5 s", errors, StringComparison.Ordinal);
        }

        await server.InterruptAsync();
        _ = await server.EndAsync();
    }

    private static async Task<RunResult> AssertRunsAsync(string arguments, Protocol protocol)
    {
        RunResult run = await RunAsync(arguments);
        Assert.Equal((0, 0, "Http", "Epoll"), (run.Errors, run.Lost, run.Framing, run.ClientLibrary));
        Assert.Equal(["TCP connect", "TLS handshake", "Request to last byte"], run.Parts!.Select(part => part.Name));
        Assert.All(run.Parts!, part => Assert.InRange(part.Microseconds!.Max, 0, run.LatencyMicroseconds!.Max));
        double parts = run.Parts!.Sum(part => part.Microseconds!.Mean);
        Assert.Equal(1, parts / run.LatencyMicroseconds!.Mean, 0.01);
        if (protocol == Protocol.Ssl)
        {
            // Before the load, each client has opened one connection.
            Assert.Equal(run.Totals.Received + run.Clients, run.Tls!.Clients.Sum(handshake => handshake.Count));
            Assert.All(run.Tls.Clients, handshake => Assert.False(handshake.Resumed));
            string group = run.Tls.Clients[0].Group!;
            Assert.Equal(["One signature (Rsa2048) alone", $"One key exchange ({group}) alone"], run.Figures!.Select(figure => figure.Name));
            Assert.All(run.Figures!, figure => Assert.InRange(figure.Value, 1, 1e6));
        }

        Assert.InRange(run.Costs.Together?.CpuSeconds ?? run.Costs.Server!.CpuSeconds, double.Epsilon, double.MaxValue);
        return run;
    }

    /// <summary>
    /// Connections on which nothing is sent. They have an address of their own and end with a reset, so that no ports run short for other tests.
    /// </summary>
    private sealed class SilentConnections : IDisposable
    {
        private readonly List<TcpClient> _open = [];

        public SilentConnections(string port, int count)
        {
            for (int number = 0; number < count; number++)
            {
                var client = new TcpClient(new IPEndPoint(IPAddress.Parse("127.0.2.1"), 0)) { LingerState = new LingerOption(enable: true, seconds: 0) };
                _open.Add(client);
                client.Connect(IPAddress.Loopback, int.Parse(port, CultureInfo.InvariantCulture));
            }
        }

        public void Dispose() => _open.ForEach(client => client.Dispose());
    }
}
