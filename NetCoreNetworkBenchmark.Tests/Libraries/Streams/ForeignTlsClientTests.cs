using NetCoreNetworkBenchmark.Tests.Certificates;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Streams;

/// <summary>What OpenSSL's own client (<c>openssl s_client</c>) sees of every server of TLS, in the test of handshakes.</summary>
public sealed class ForeignTlsClientTests : InTemporaryFolder
{
    private const string Request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static readonly string[] s_withoutSwitch = ["Sockets", "Kestrel", "NetCoreServer"];

    /// <summary>Every server of TLS, with each way of it to serve connections that end soon.</summary>
    public static IEnumerable<TheoryDataRow<string, string, string>> Servers() =>
        from row in StreamRun.OverTls().Select(row => row.Data).Where(LibraryUnderTest.HasPlainStream).Append("nginx")
        let info = LibraryUnderTest.Catalog.CreateLibrary(row)!.Info
        let ways = info.Settings.Where(setting => setting.Name is "architecture" or "layer").SelectMany(setting => setting.Values.Select(
            value => $"{setting.Name}={value}"))
        from way in ways.DefaultIfEmpty("default")
        select new TheoryDataRow<string, string, string>(row, way, "1.3");

    [Theory, MemberData(nameof(Servers)), InlineData("Epoll", "default", "1.2"), InlineData("Kestrel", "default", "1.2")]
    public async Task A_server_closes_with_close_notify(string library, string way, string version)
    {
        await using StreamService service = Start(library, way, version);
        string said = await AskAsync(service, version);
        said.AssertHas("<<< TLS 1." + version[^1] + ", Alert [length 0002], warning close_notify");
        said.AssertHasNo("unexpected eof");
        said.AssertHas("Verify return code: 0 (ok)");
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task The_tickets_of_a_full_handshake_are_counted_as_OpenSSLs_client_sees_them(string library, string way, string version)
    {
        await using StreamService service = Start(library, way, version);
        int seen = (await AskAsync(service, version)).Split("NewSessionTicket").Length - 1;

        // .NET has no option for them, and OpenSSL sends two.
        Assert.Equal(s_withoutSwitch.Contains(library) ? 2 : 0, seen);
        var workload = (IConnectionWorkload)LibraryUnderTest.Catalog.FindWorkload(service.Plan.Test)!;
        await using (IClientGroup clients = await LibraryUnderTest.Create("Epoll").ConnectAsync(
            service.CreateClientSetup(service.Client) with { Connections = workload.CreateConnectionHandler(service.Plan, service.ClientRecorder) },
            TestContext.Current.CancellationToken))
        {
            NegotiatedTls agreed = Assert.Single(service.ClientRecorder.Handshakes());
            Assert.Equal((version, false, seen), (agreed.Version, agreed.Resumed, agreed.Tickets));
        }

        var outcome = new LoadOutcome { Server = library, Handshakes = service.ClientRecorder.Handshakes() };
        IEnumerable<string> remarks = workload.FindRemarks(service.Plan, outcome);
        Assert.Equal(seen > 0, remarks.Any(remark => remark.Contains($"{seen} session tickets in each full handshake", StringComparison.Ordinal)));
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task A_server_shows_the_certificates_between_its_own_and_the_root(string library, string way, string version)
    {
        using var chain = new ChainOfThree();
        await using StreamService service = Start(library, way, version, chain.Credentials);
        (await AskAsync(service, version)).AssertHas("Verify return code: 0 (ok)");
    }

    private static StreamService Start(string library, string way, string version, TlsCredentials? credentials = null)
    {
        IWorkload workload = LibraryUnderTest.Catalog.Workloads.Single(test => test is IConnectionWorkload);
        RunPlan Change(RunPlan plan) => workload.Complete(plan with
        {
            Test = workload.Name,
            Tls = new TlsPlan { Version = version },
            Settings = way.Split('=') is [var name, var value] ? new Dictionary<string, string> { [name] = value } : plan.Settings,
        });
        return new StreamService(library, Protocol.Ssl, Change, credentials, workload.CreateServerHandler(
            Change(new RunPlan { Library = library, MessageSize = StreamService.Size }), new RunRecorder()));
    }

    private async Task<string> AskAsync(StreamService service, string version)
    {
        string authority = PathOf("ca.crt");
        await File.WriteAllTextAsync(authority, service.Credentials.Authority, TestContext.Current.CancellationToken);
        string[] arguments =
        [
            "s_client", "-connect", string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{service.EndPoint.Port}"), $"-tls1_{version[^1]}",
            "-CAfile", authority, "-ign_eof", "-msg",
        ];
        return (await OpenSsl.AskAsync(Request, arguments)).Said;
    }
}

public sealed class KestrelTests
{
    [Fact]
    public void ConnectAsync_is_refused_as_Kestrel_has_no_clients()
    {
        INetworkBenchmark kestrel = LibraryUnderTest.Create("Kestrel");
        Assert.False(kestrel.Info.HasClients);
        ClientSetup setup = Setups.OfClients(new RunPlan { Library = "Kestrel" }, new RunRecorder());
        var exception = Assert.Throws<BenchmarkException>(() => { _ = kestrel.ConnectAsync(setup, TestContext.Current.CancellationToken); });
        Assert.Equal("Kestrel has no clients. Use --client-library.", exception.Message);
    }

    [Fact]
    public void Its_version_is_that_of_the_assembly_that_runs() =>
        LibraryUnderTest.Create("Kestrel").Info.Version.AssertBegins($"{Environment.Version.Major}.");
}
