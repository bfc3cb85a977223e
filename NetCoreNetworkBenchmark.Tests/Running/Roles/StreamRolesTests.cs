using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Roles;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Libraries;
using NetCoreNetworkBenchmark.Workloads.RoundTrips;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>A server and clients of streams that are started by hand. The libraries only claim to support TCP and SSL.</summary>
public sealed class StreamRolesTests : IDisposable
{
    private static readonly RunPlan s_plan = new()
    {
        Library = "Fast",
        Protocol = Protocol.Ssl,
        Transmission = Transmission.Reliable,
        Tls = new TlsPlan { Key = TlsKey.P256 },
        Clients = 5,
        WarmUp = TimeSpan.FromMilliseconds(100),
        Duration = TimeSpan.FromMilliseconds(300),
        AnyMachine = true,
    };

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-");

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(Protocol.Tcp)]
    [InlineData(Protocol.Ssl)]
    public async Task A_server_is_greeted_on_the_next_port(Protocol protocol)
    {
        RunPlan plan = s_plan with { Protocol = protocol };
        await using RunningServer server = await RunningServer.StartAsync(plan, new FastLibrary());
        Assert.Equal(server.EndPoint.Port + 1, server.Greetings.Port);
        RunResult result = await MeasureAsync(plan, server.EndPoint);
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        Assert.Equal((ServerKind.Own, "Fast", "Fixed"), (result.Server, result.ClientLibrary, result.Framing));
        Assert.InRange(result.Messages.ServerReceived!.Value, 1, long.MaxValue);
        ServerResult served = await server.StopAsync();
        Assert.Equal(("Fixed", protocol == Protocol.Ssl ? "P256" : null), (served.Framing, served.Tls?.Key));
    }

    [Theory]
    [InlineData(Protocol.Udp, 3333, 3333)]
    [InlineData(Protocol.Tcp, 3333, 3334)]
    [InlineData(Protocol.Ssl, 65534, 65535)]
    [InlineData(Protocol.Ssl, 65535, null)]
    public void Greetings_of_a_stream_come_on_the_port_after_its_own(Protocol protocol, int port, int? expected) =>
        Assert.Equal(expected, ControlPort.Of(protocol, new IPEndPoint(IPAddress.Loopback, port))?.Port);

    [Fact]
    public async Task A_port_whose_next_one_is_taken_is_refused_by_the_number_of_that()
    {
        const int MostAttempts = 20;
        string message = string.Empty;
        int port = 0;
        for (int attempt = 1; attempt == 1 || (attempt <= MostAttempts && message.StartsWith($"Port {port - 1} of ", StringComparison.Ordinal)); attempt++)
        {
            // The server's own port has to be free, so another program can be given it before the server is.
            using TcpListener taken = TakePortAfterFreeOne();
            port = ((IPEndPoint)taken.LocalEndpoint).Port;
            var server = new StandaloneServer(s_plan with { Port = port - 1 }, new FastLibrary(), new PingPong());
            message = (await Assert.ThrowsAsync<BenchmarkException>(() => server.RunAsync(Token))).Message;
        }

        Assert.StartsWith($"Port {port} of 127.0.0.1 is in use", message, StringComparison.Ordinal);
    }

    // Other tests take ports at the same time.
    private static TcpListener TakePortAfterFreeOne()
    {
        for (int attempt = 1; ; attempt++)
        {
            var taken = new TcpListener(IPAddress.Loopback, 0);
            taken.Start();
            try
            {
                using var before = new TcpListener(IPAddress.Loopback, ((IPEndPoint)taken.LocalEndpoint).Port - 1);
                before.Start();
                return taken;
            }
            catch (SocketException) when (attempt < 100)
            {
                taken.Dispose();
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_server_hands_over_whom_to_trust_and_no_certificate(bool mutual)
    {
        RunPlan plan = s_plan with { Tls = mutual ? Written("server") : s_plan.Tls };
        await using RunningServer server = await RunningServer.StartAsync(plan, new FastLibrary());
        RunResult result = await MeasureAsync(plan with { Tls = mutual ? Written("client") : s_plan.Tls }, server.EndPoint);
        string authority = result.Remarks[0].Split("authority ")[1][..8];
        Assert.Equal(
            [
                $"The server of Fast with mode=calm has authority {authority} server certificate server key.",
                $"The clients of Fast with mode=calm want 127.0.0.1 and have authority {authority}" +
                $"{(mutual ? " client certificate client key" : string.Empty)}.",
            ],
            result.Remarks);
        Assert.Equal(("P256", mutual, plan.Clients), (result.Tls!.Key, result.Tls.Mutual, result.Tls.Clients.Sum(agreed => agreed.Count)));
    }

    [Fact]
    public async Task Who_greets_a_server_gets_no_key()
    {
        RunPlan plan = s_plan with { Tls = Written("server") };
        await using RunningServer server = await RunningServer.StartAsync(plan, new FastLibrary());
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server.Greetings, Token);
        var stream = new NetworkStream(socket, ownsSocket: true);
        await using var channel = new FrameChannel("The server", stream, stream);
        await channel.SendAsync(new HelloFrame(ResultBuilder.HarnessVersion, AgentRole.Client, plan, null), Token);
        ReadyFrame ready = Assert.IsType<ReadyFrame>(await channel.ReceiveAsync(LibraryUnderTest.Deadline, Token));
        Assert.Equal(new TlsCredentials { Authority = File.ReadAllText(Path.Combine(_folder.FullName, "ca.crt")).Trim() }, ready.Credentials);
    }

    [Fact]
    public async Task Clients_trust_whom_they_are_told_to_rather_than_what_is_handed_over()
    {
        string authority = CertificateMaker.Make(TlsKey.P256, []).Authority;
        await using RunningServer server = await RunningServer.StartAsync(s_plan, new FastLibrary());
        RunResult result = await MeasureAsync(s_plan with { Tls = s_plan.Tls with { AuthorityFile = WrittenAuthority(authority) } }, server.EndPoint);
        Assert.EndsWith($" and have {FakeStreams.Parts(new TlsCredentials { Authority = authority })}.", result.Remarks[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Another_librarys_clients_fit_to_a_server()
    {
        RunPlan plan = s_plan with { Library = "ServerOnly" };
        await using RunningServer server = await RunningServer.StartAsync(plan, new ServerOnlyLibrary());
        RunResult result = await MeasureAsync(plan with { ClientLibrary = "Slow" }, server.EndPoint, new ServerOnlyLibrary(), new SlowLibrary());
        Assert.Equal(("ServerOnly", "10.0", "Slow", "4.0"), (result.Library, result.LibraryVersion, result.ClientLibrary, result.ClientLibraryVersion));
    }

    [Fact]
    public async Task What_does_not_fit_is_named()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan, new FastLibrary());
        (RunPlan Plan, string Difference)[] others =
        [
            (s_plan with { Protocol = Protocol.Tcp }, "for the protocol Ssl and the clients are for the protocol Tcp"),
            (s_plan with { Framing = Framing.Length }, "for the framing Fixed and the clients are for the framing Length"),
            (s_plan with { Tls = s_plan.Tls with { Mutual = true } }, "for mutual TLS False and the clients are for mutual TLS True"),
            (s_plan with { Tls = s_plan.Tls with { Version = "1.3" } }, "for the TLS version 1.2 or 1.3 and the clients are for the TLS version 1.3"),
        ];
        foreach ((RunPlan plan, string difference) in others)
        {
            var exception = await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(plan, server.EndPoint));
            Assert.Equal($"The server is {difference}; both must be the same.", exception.Message);
        }
    }

    [Theory]
    [InlineData(Protocol.Tcp)]
    [InlineData(Protocol.Ssl)]
    public async Task A_server_that_is_not_ours_is_a_plain_echo(Protocol protocol)
    {
        await using var echo = new PlainEcho(overTcpToo: false);
        RunPlan plan = s_plan with { Protocol = protocol };
        string authority = WrittenAuthority(CertificateMaker.Make(TlsKey.P256, []).Authority);
        RunResult result = await MeasureAsync(
            protocol == Protocol.Ssl ? plan with { Tls = s_plan.Tls with { AuthorityFile = authority } } : plan, echo.EndPoint);
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        Assert.Equal((ServerKind.PlainEcho, null, null), (result.Server, result.Tls?.Key, result.Tls?.Server));
        Assert.Equal(protocol == Protocol.Ssl ? plan.Clients : 0, result.Tls?.Clients.Sum(agreed => agreed.Count) ?? 0);
    }

    [Fact]
    public async Task Over_TLS_it_must_be_known_whom_to_trust()
    {
        await using var echo = new PlainEcho(overTcpToo: false);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(s_plan, echo.EndPoint));
        Assert.StartsWith("No server of this program answers, and to verify another one", exception.Message, StringComparison.Ordinal);
        Assert.False(exception.IsBadInput);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private TlsPlan Written(string side)
    {
        string folder = _folder.FullName;
        if (!File.Exists(Path.Combine(folder, "ca.key")))
        {
            CertificateFolder.Write(folder, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);
        }

        return s_plan.Tls with
        {
            Mutual = true,
            CertificateFile = Path.Combine(folder, $"{side}.crt"),
            CertificateKeyFile = Path.Combine(folder, $"{side}.key"),
        };
    }

    private string WrittenAuthority(string pem)
    {
        string path = Path.Combine(_folder.FullName, "ca.crt");
        File.WriteAllText(path, pem);
        return path;
    }

    private static Task<RunResult> MeasureAsync(RunPlan plan, IPEndPoint server) => MeasureAsync(plan, server, new FastLibrary(), null);

    private static Task<RunResult> MeasureAsync(RunPlan plan, IPEndPoint server, INetworkBenchmark library, INetworkBenchmark? clients) =>
        RunningServer.MeasureAsync(plan with { Address = server.Address.ToString(), Port = server.Port }, library, clients, null)
            .WaitAsync(LibraryUnderTest.Deadline, Token);
}
