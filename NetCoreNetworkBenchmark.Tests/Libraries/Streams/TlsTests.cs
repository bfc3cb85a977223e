namespace NetCoreNetworkBenchmark.Tests.Libraries.Streams;

public sealed class TlsTests
{
    private const string Failed = "server TLS handshake failed: ";

    public static IEnumerable<TheoryDataRow<string, Protocol>> Secure() => LibraryUnderTest.Transports().Where(row => row.Data.Item2.HasTls());

    public static IEnumerable<TheoryDataRow<string, Protocol, string>> ServersAndOwnNames() => ServersWith("localhost", "127.0.0.1", "::1", "bench.example");

    public static IEnumerable<TheoryDataRow<string, Protocol, string>> ServersAndOtherNames() => ServersWith("other.example", "127.0.0.2", "192.0.2.1");

    public static IEnumerable<TheoryDataRow<string, Protocol, TlsKey>> ServersAndKeys() => ServersWith(TlsKey.Rsa2048, TlsKey.P384);

    public static IEnumerable<TheoryDataRow<string, Protocol, string>> ServersAndVersions() =>
        ServersWith("1.2", "1.3").Where(row => row.Data.Item2 != Protocol.Quic || row.Data.Item3 == "1.3");

    [Theory, MemberData(nameof(ServersAndOwnNames))]
    public async Task A_name_or_address_of_the_certificate_is_accepted(string library, Protocol protocol, string name)
    {
        await using var service = new StreamService(library, protocol, credentials: CertificateMaker.Make(TlsKey.P256, ["bench.example"]));
        await using IClientGroup clients = await service.ConnectClientsAsync(plan => plan with { Tls = plan.Tls with { ServerName = name } });
        await service.Handler.Connected.ReachesAsync(1, "client seen by the server");
    }

    [Theory, MemberData(nameof(ServersAndOtherNames))]
    public async Task A_certificate_for_another_name_is_refused(string library, Protocol protocol, string name)
    {
        await using var service = new StreamService(library, protocol);
        await AssertRefusedAsync(service, $"does not name '{name}'", plan => plan with { Tls = plan.Tls with { ServerName = name } });
        await service.AssertServesAsync();
    }

    [Theory, MemberData(nameof(Secure))]
    public async Task A_certificate_of_another_authority_or_past_its_time_is_refused(string library, Protocol protocol)
    {
        await using (var service = new StreamService(library, protocol))
        {
            TlsCredentials other = CertificateMaker.Make(TlsKey.P256, []);
            await AssertRefusedAsync(service, "is not signed by an authority that is trusted", plan => plan, other);
            await service.AssertServesAsync();
        }

        TlsCredentials expired = CertificateMaker.Make(TlsKey.P256, [], DateTimeOffset.UtcNow.AddDays(-1));
        await using var late = new StreamService(library, protocol, credentials: expired);
        await AssertRefusedAsync(late, "has expired", plan => plan);
    }

    [Theory, MemberData(nameof(ServersAndKeys))]
    public async Task Every_kind_of_key_is_served(string library, Protocol protocol, TlsKey key)
    {
        await using var service = new StreamService(library, protocol, credentials: CertificateMaker.Make(key, []));
        await service.AssertServesAsync();
    }

    [Theory]
    [InlineData("Sockets", "1.2"), InlineData("Sockets", "1.3"), InlineData("Sockets", null), InlineData("Kestrel", "1.2"), InlineData("Kestrel", "1.3")]
    public async Task Negotiated_parameters_are_recorded_with_the_version_of_the_plan(string library, string? version)
    {
        await using var service = new StreamService(library, Protocol.Ssl, plan => plan with { Tls = plan.Tls with { Version = version } });
        await service.AssertServesAsync();
        NegotiatedTls agreed = Assert.Single(service.Recorder.Handshakes());
        Assert.Equal((version ?? "1.3", 1), (agreed.Version, agreed.Count));
        agreed.Cipher.AssertBegins("TLS_");
        Assert.Null(agreed.Group);
        Assert.Null(agreed.Resumed);
    }

    [Theory, MemberData(nameof(ServersAndVersions))]
    public async Task A_client_without_a_certificate_or_with_one_of_another_authority_is_closed_where_the_server_demands_one(
        string library, Protocol protocol, string version)
    {
        await using (StreamService service = Start())
        {
            await AssertIsClosedAsync(service, plan => plan with { Tls = plan.Tls with { Mutual = false } });
            await AssertObjectsAsync(service, "the client presented no certificate");
        }

        await using StreamService another = Start();
        TlsCredentials other = CertificateMaker.Make(TlsKey.P256, []);
        await AssertIsClosedAsync(another, plan => plan, other with { Authority = another.Credentials.Authority });
        await AssertObjectsAsync(another, "the client's certificate is not signed by an authority that is trusted");

        StreamService Start() => new(library, protocol, plan => plan with { Tls = plan.Tls with { Mutual = true, Version = version } });
    }

    [Theory, MemberData(nameof(ServersAndVersions))]
    public async Task A_client_with_a_certificate_of_the_authority_is_accepted_where_the_server_demands_one(string library, Protocol protocol, string version)
    {
        await using var service = new StreamService(library, protocol, plan => plan with { Tls = plan.Tls with { Mutual = true, Version = version } });
        await using IClientGroup clients = await service.ConnectClientsAsync();
        await service.Handler.Connected.ReachesAsync(1, "client seen by the server");
        Assert.Empty(service.Recorder.Errors());
    }

    [Theory, MemberData(nameof(StreamRun.OverTls), MemberType = typeof(StreamRun))]
    public async Task A_client_that_closes_within_the_handshake_is_an_error(string library)
    {
        await using var service = new StreamService(library, Protocol.Ssl);
        await (await service.ConnectPlainAsync()).DisposeAsync();
        await service.AssertOnlyErrorAsync(Failed);
        await service.AssertServesAsync();
    }

    [Theory, MemberData(nameof(StreamRun.OverTls), MemberType = typeof(StreamRun))]
    public async Task A_plain_client_on_an_SSL_port_fails_in_its_handshake(string library)
    {
        await using var service = new StreamService(library, Protocol.Ssl);
        await using (Stream plain = await service.ConnectPlainAsync())
        {
            await plain.WriteAsync(new byte[StreamService.Size], TestContext.Current.CancellationToken);
            await StreamService.ReadToEndAsync(plain);
        }

        await service.ErrorAsync(Failed);
        await service.AssertServesAsync();
        Assert.Equal(1, service.Handler.Connected.Count);
    }

    // The first bytes of TLS are not a valid length. (Messages of a fixed size are echoed unchanged, and the client waits for the rest until its deadline.)
    [Theory, MemberData(nameof(StreamRun.OverTls), MemberType = typeof(StreamRun))]
    public async Task A_TLS_client_on_a_plain_port_is_refused(string library)
    {
        await using var service = new StreamService(library, Protocol.Tcp, plan => plan with { Framing = Framing.Length });
        (await RefusalAsync(service, plan => plan with { Protocol = Protocol.Ssl })).AssertBegins("A client could not connect: the TLS handshake failed: ");
    }

    [Theory, MemberData(nameof(StreamRun.OverTls), MemberType = typeof(StreamRun))]
    public async Task A_handshake_that_does_not_come_is_given_up_at_the_deadline(string library)
    {
        await using var service = new StreamService(library, Protocol.Ssl, plan => plan with { ConnectDeadline = TimeSpan.FromSeconds(0.3) });
        await using Stream silent = await service.ConnectPlainAsync();
        await StreamService.ReadToEndAsync(silent);
        Assert.Equal($"{Failed}the client did not complete it within 0.3 s", await service.ErrorAsync(Failed));
    }

    [Theory, MemberData(nameof(StreamRun.OverTls), MemberType = typeof(StreamRun))]
    public async Task A_handshake_that_is_under_way_does_not_keep_the_server_from_stopping(string library)
    {
        await using var service = new StreamService(library, Protocol.Ssl);
        await using Stream silent = await service.ConnectPlainAsync();
        await using var other = (SslStream)await service.ConnectAsync();
        await service.DisposeAsync().AsTask().WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        await StreamService.ReadToEndAsync(silent);
    }

    [Fact]
    public async Task Close_sends_the_close_notify_of_TLS()
    {
        await using var service = new StreamService("Sockets", Protocol.Ssl);
        await using var stream = (SslStream)await service.ConnectAsync();
        service.Handler.Message = (peer, _) => peer.Close();
        await stream.WriteAsync(new byte[StreamService.Size], TestContext.Current.CancellationToken);
        Assert.Equal(0, await stream.ReadAsync(new byte[1], TestContext.Current.CancellationToken));
    }

    private static async Task AssertRefusedAsync(
        StreamService service, string reason, Func<RunPlan, RunPlan> change, TlsCredentials? credentials = null) => Assert.Equal(
        $"A client could not connect: the TLS handshake failed: the server's certificate {reason}.", await RefusalAsync(service, change, credentials));

    private static async Task<string> RefusalAsync(StreamService service, Func<RunPlan, RunPlan> change, TlsCredentials? credentials = null) =>
        (await Assert.ThrowsAsync<BenchmarkException>(() => service.ConnectClientsAsync(change, credentials))).Message;

    // With TLS 1.3, and always with .NET, the server verifies a client's certificate after the client has completed its part of the handshake, so the
    // client was connected for a moment.
    private static async Task AssertIsClosedAsync(StreamService service, Func<RunPlan, RunPlan> change, TlsCredentials? credentials = null)
    {
        try
        {
            await using IClientGroup clients = await service.ConnectClientsAsync(change, credentials);
            await service.Client.Closed.ReachesAsync(1, "close seen by the client");
        }
        catch (BenchmarkException exception)
        {
            exception.Message.AssertBegins("A client could not connect: the TLS handshake failed: ");
        }
    }

    // NetCoreServer reports every failure of a handshake with the same code, and exposes no exception.
    private static async Task AssertObjectsAsync(StreamService service, string objection)
    {
        string expected = service.Plan.Library == "NetCoreServer" ? "the client violated the TLS protocol or closed the connection" : objection;
        await service.AssertOnlyErrorAsync($"{Failed}{expected}");
        Assert.Equal(0, service.Handler.Connected.Count);
    }

    private static IEnumerable<TheoryDataRow<string, Protocol, T>> ServersWith<T>(params IEnumerable<T> values) =>
        from server in Secure()
        from value in values
        select new TheoryDataRow<string, Protocol, T>(server.Data.Item1, server.Data.Item2, value);
}
