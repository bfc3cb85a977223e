namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>A server and clients of streams that are started by hand. The libraries only claim to support TCP and SSL.</summary>
public sealed class StreamRolesTests : InTemporaryFolder
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

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, InlineData(Protocol.Tcp), InlineData(Protocol.Ssl)]
    public async Task Each_side_reports_its_part_of_a_stream(Protocol protocol)
    {
        RunPlan plan = s_plan with { Protocol = protocol };
        await using RunningServer server = await RunningServer.StartAsync(plan with { Tls = Written("server") }, new FastLibrary());
        RunResult result = await MeasureAsync(plan with { Tls = Written("client") }, server.EndPoint);
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        Assert.Equal((ServerKind.Separate, "Fast", "Fixed"), (result.ServerKind, result.ClientLibrary, result.Framing));
        Assert.Equal((null, protocol == Protocol.Ssl ? plan.Clients : 0), (result.Tls?.Server, result.Tls?.Clients.Sum(agreed => agreed.Count) ?? 0));
        ServerResult served = await server.StopAsync();
        Assert.Equal(("Fixed", protocol == Protocol.Ssl ? "P256" : null), (served.Framing, served.Server.Key));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Each_side_has_the_files_that_the_user_passes_to_it(bool mutual)
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan with { Tls = Written("server") with { Mutual = mutual } }, new FastLibrary());
        TlsPlan clients = mutual ? Written("client") : s_plan.Tls with { AuthorityFile = PathOf("ca.crt") };
        RunResult result = await MeasureAsync(s_plan with { Tls = clients }, server.EndPoint);
        var authority = new TlsCredentials { Authority = File.ReadAllText(PathOf("ca.crt")).Trim() };
        string own = mutual ? " client certificate client key" : string.Empty;
        Assert.Equal($"The clients of Fast with mode=calm want 127.0.0.1 and have {FakeStreams.Parts(authority)}{own}.", result.Remarks[0]);
        Assert.Equal(
            [$"The server of Fast with mode=calm has {FakeStreams.Parts(authority)} server certificate server key."],
            (await server.StopAsync()).Server.Remarks);
    }

    [Fact]
    public async Task Another_librarys_clients_fit_to_a_server()
    {
        RunPlan plan = s_plan with { Library = "ServerOnly", Protocol = Protocol.Tcp };
        await using RunningServer server = await RunningServer.StartAsync(plan, new ServerOnlyLibrary());
        RunResult result = await MeasureAsync(plan with { ClientLibrary = "Slow" }, server.EndPoint, new ServerOnlyLibrary(), new SlowLibrary());
        Assert.Equal(("ServerOnly", "10.0", "Slow", "4.0"), (result.Library, result.LibraryVersion, result.ClientLibrary, result.Clients.LibraryVersion));
    }

    private TlsPlan Written(string side)
    {
        string folder = Folder.FullName;
        if (!File.Exists(PathOf("ca.key")))
        {
            CertificateFolder.Write(folder, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);
        }

        return s_plan.Tls with
        {
            Mutual = true,
            CertificateFile = PathOf($"{side}.crt"),
            CertificateKeyFile = PathOf($"{side}.key"),
        };
    }

    private static Task<RunResult> MeasureAsync(RunPlan plan, IPEndPoint server) => MeasureAsync(plan, server, new FastLibrary(), null);

    private static Task<RunResult> MeasureAsync(RunPlan plan, IPEndPoint server, INetworkBenchmark library, INetworkBenchmark? clients) =>
        RunningServer.MeasureAsync(plan with { Address = server.Address.ToString(), Port = server.Port }, library, clients)
            .WaitAsync(LibraryUnderTest.Deadline, Token);
}
