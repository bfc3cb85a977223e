namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The real program with clients that open one connection after the other, when something is wrong with the other side or the machine.</summary>
[Trait("Category", "Long")]
public sealed class HandshakeFaultTests : InTemporaryFolder
{
    // StalledCrowdTests has thousands of them for the event loops.
    [Theory, InlineData("threads", 300, true), InlineData("pool", 300, false)]
    public Task Clients_that_stall_in_their_handshake_starve_a_pool_and_no_other(string architecture, int stalled, bool serves) =>
        AssertServesBesideStalledAsync(architecture, stalled, serves);

    [Theory, InlineData("reactor", true), InlineData("threads", false)]
    public async Task A_server_without_descriptors_lives_and_serves_again_when_there_are_some(string architecture, bool closes)
    {
        // An event loop closes connections that it cannot serve. With blocking calls they wait in the accept queue.
        string load = $"-l Epoll -P Tcp -t Handshake -c 4 --set epoll.architecture={architecture}";
        using BenchmarkProcess server = BenchmarkProcess.StartWithDescriptors(300, $"--role Server -p 0 --json {load}".Split(' '));
        await server.ListensAsync();
        string client = $"--role Client {load} -p {server.Port} --warmup 0.1 -d 0.2 --any-machine";
        int code;
        string errors;
        using (new SilentConnections(server.Port, 400))
        {
            (code, _, errors) = await ProgramInFolder.RunLineAsync(client);
            Assert.True(code == 1, errors);
        }

        (code, _, errors) = await ProgramInFolder.RunLineAsync(client);
        Assert.True(code == 0, errors);
        Assert.Equal(closes, (await server.StopAsync()).Contains("server TooManyOpenSockets", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_server_that_is_killed_makes_the_run_invalid()
    {
        const string Both = "-l Epoll -P Ssl -t Handshake -c 4";
        using var certificates = new CertificatesOfRoles();
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"{certificates.OfServer} {Both}");
        using BenchmarkProcess clients = BenchmarkProcess.Start(
            $"--role Client {certificates.OfClients} {Both} -p {server.Port} --warmup 0.1 -d 3 --any-machine --verbose".Split(' '));
        await clients.MeasuringAsync();
        server.Kill();
        (int code, _, string errors) = await clients.EndAsync();
        Assert.Equal(1, code);
        Assert.Matches("Invalid: .* errors occurred", errors);
    }

    [Fact]
    public async Task Clients_use_more_source_addresses_when_ports_run_short()
    {
        // Two hundred ports for three hundred clients, in a network namespace of the test's own.
        RunResult run = await BenchmarkProcess.ResultInNamespaceAsync(
            "ip link set lo up && echo 40000 40199 >/proc/sys/net/ipv4/ip_local_port_range",
            "-l Epoll -P Tcp -t Handshake -p 3333 -c 300 --warmup 0.1 -d 0.2 --any-machine --json");
        Assert.Contains(run.Remarks, remark => remark.Contains("several addresses of 127.0.0.0/8", StringComparison.Ordinal));
        Assert.Equal(0, run.Errors);
    }

    /// <summary>Asserts that a server serves its clients, or does not, while others stall in their handshake.</summary>
    internal static async Task AssertServesBesideStalledAsync(string architecture, int count, bool serves)
    {
        string load = $"-l Epoll -P Ssl -t Handshake -c 4 --set epoll.architecture={architecture} --set epoll.send=message";
        using var certificates = new CertificatesOfRoles();
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"{certificates.OfServer} {load}");
        using var stalled = new SilentConnections(server.Port, count);
        (_, string output, string errors) = await ProgramInFolder.RunLineAsync(
            $"--role Client {certificates.OfClients} {load} -p {server.Port} --warmup 0.2 -d 0.3 --any-machine --json");
        if (serves)
        {
            // On a slow machine the server has ended some stalled connections by then, which are errors of it.
            RunResult run = HostRun.ResultOf(output);
            Assert.InRange(run.Totals.Received, 4, long.MaxValue);
            Assert.Equal(0, run.Lost);
        }
        else
        {
            Assert.Equal(string.Empty, output);
            Assert.Contains("it did not complete the TLS handshake within 5 s", errors, StringComparison.Ordinal);
        }

        await server.InterruptedAsync();
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

/// <summary>The options by which a server shows a certificate and clients verify it, where each is started separately.</summary>
internal sealed class CertificatesOfRoles : InTemporaryFolder
{
    /// <summary>The password of the .pfx files.</summary>
    public const string Password = "x";

    public CertificatesOfRoles(TlsKey key = TlsKey.P256, DateTimeOffset? notAfter = null) =>
        CertificateFolder.Write(Folder.FullName, CertificateMaker.MakeSet(key, [], notAfter), Password, replace: false);

    public string OfServer => $"--certificate {Folder}/server.crt --certificate-key {Folder}/server.key";
    public string OfClients => $"--authority {Folder}/ca.crt";
}
