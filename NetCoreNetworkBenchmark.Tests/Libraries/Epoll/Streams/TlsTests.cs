using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.Streams;

/// <summary>The verification and the negotiated parameters of TLS.</summary>
public sealed class TlsTests
{
    [Theory]
    [InlineData("1.2", "TLS_ECDHE_ECDSA_")]
    [InlineData("1.3", "TLS_")]
    [InlineData(null, "TLS_")]
    public async Task What_was_agreed_on_is_counted_by_both_sides(string? version, string cipher)
    {
        await using var server = new StreamServer(Protocol.Ssl, plan => plan with { Tls = new TlsPlan { Version = version }, Clients = 3 });
        using var recorder = new RunRecorder();
        await using IClientGroup clients = await server.ConnectAsync(recorder: recorder);
        await server.Handler.Connected.ReachesAsync(3, "clients seen by the server");
        KeyValuePair<NegotiatedTls, long> client = Assert.Single(recorder.Handshakes());
        Assert.Equal(client, Assert.Single(server.Recorder.Handshakes()));
        Assert.Equal(3, client.Value);
        Assert.Equal(version ?? "1.3", client.Key.Version);
        Assert.StartsWith(cipher, client.Key.Cipher, StringComparison.Ordinal);
        Assert.NotNull(client.Key.Group);
        Assert.False(client.Key.Resumed);
    }

    [Theory]
    [InlineData("localhost")]
    [InlineData("127.0.0.1")]
    [InlineData("::1")]
    [InlineData("bench.example")]
    public async Task A_certificate_is_good_for_its_names_and_addresses(string name)
    {
        await using var server = new StreamServer(
            Protocol.Ssl, plan => plan with { Tls = new TlsPlan { ServerName = name } }, CertificateMaker.Make(TlsKey.Rsa2048, ["bench.example"]));
        await using IClientGroup clients = await server.ConnectAsync();
        Assert.Empty(server.Recorder.Errors());
    }

    [Theory]
    [InlineData("bench.example")]
    [InlineData("192.0.2.1")]
    public async Task A_certificate_for_another_name_is_refused(string name)
    {
        await using var server = new StreamServer(Protocol.Ssl, plan => plan with { Tls = new TlsPlan { ServerName = name } });
        Assert.Equal(
            $"A client could not connect: the TLS handshake failed: the server's certificate is for another name than '{name}'.", await RefusedAsync(server));
        server.AssertServes();
    }

    [Fact]
    public async Task A_certificate_of_another_authority_is_refused()
    {
        await using var server = new StreamServer(Protocol.Ssl);
        Assert.Equal(
            "A client could not connect: the TLS handshake failed: the server's certificate is not signed by an authority that is trusted.",
            await RefusedAsync(server, CertificateMaker.Make(TlsKey.P256, []).ForClients()));
        await server.AssertErrorAsync("server TLS handshake failed: tlsv1 alert unknown ca");
        server.AssertServes();
    }

    [Fact]
    public async Task An_expired_certificate_is_refused()
    {
        await using var server = new StreamServer(Protocol.Ssl, credentials: CertificateMaker.Make(TlsKey.P256, [], DateTimeOffset.UtcNow.AddMinutes(-1)));
        Assert.Equal("A client could not connect: the TLS handshake failed: the server's certificate has expired.", await RefusedAsync(server));
    }

    [Theory]
    [InlineData("1.2")]
    [InlineData("1.3")]
    public async Task A_server_that_asks_for_a_certificate_takes_one_of_its_authority(string version)
    {
        await using var server = new StreamServer(Protocol.Ssl, plan => plan with { Tls = new TlsPlan { Mutual = true, Version = version } });
        await using IClientGroup clients = await server.ConnectAsync();
        await server.Handler.Connected.ReachesAsync(1, "clients seen by the server");
        Assert.Empty(server.Recorder.Errors());
    }

    [Theory]
    [InlineData("1.2")]
    [InlineData("1.3")]
    public async Task A_client_without_a_certificate_is_turned_away(string version)
    {
        await using var server = new StreamServer(Protocol.Ssl, plan => plan with { Tls = new TlsPlan { Mutual = true, Version = version } });
        TlsCredentials without = server.Credentials!.ForClients() with { ClientCertificate = null, ClientKey = null };
        await IgnoreRefusalAsync(server, without);
        await server.AssertErrorAsync("server TLS handshake failed: the client shows no certificate");
    }

    [Theory]
    [InlineData("1.2")]
    [InlineData("1.3")]
    public async Task A_client_with_a_certificate_of_another_authority_is_turned_away(string version)
    {
        await using var server = new StreamServer(Protocol.Ssl, plan => plan with { Tls = new TlsPlan { Mutual = true, Version = version } });
        TlsCredentials other = CertificateMaker.Make(TlsKey.P256, []);
        await IgnoreRefusalAsync(server, server.Credentials!.ForClients() with { ClientCertificate = other.ClientCertificate, ClientKey = other.ClientKey });
        await server.AssertErrorAsync("server TLS handshake failed: the client's certificate is not signed by an authority that is trusted");
    }

    [Fact]
    public void A_key_that_is_not_the_certificates_is_refused_in_a_sentence()
    {
        TlsCredentials mixed = CertificateMaker.Make(TlsKey.P256, []) with { ServerKey = CertificateMaker.Make(TlsKey.P256, []).ServerKey };
        var exception = Assert.Throws<BenchmarkException>(() => new StreamServer(Protocol.Ssl, credentials: mixed));
        Assert.StartsWith("OpenSSL does not take the server's key: ", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_no_certificate_is_refused_in_a_sentence()
    {
        TlsCredentials broken = CertificateMaker.Make(TlsKey.P256, []) with { ServerCertificate = "nothing" };
        var exception = Assert.Throws<BenchmarkException>(() => new StreamServer(Protocol.Ssl, credentials: broken));
        Assert.StartsWith("OpenSSL cannot read the server's certificate: ", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-----END", "----END")]
    [InlineData("MII", "M!I")]
    [InlineData("MII", "AII")]
    public void A_damaged_certificate_in_a_chain_is_refused_in_a_sentence(string whole, string damaged)
    {
        TlsCredentials good = CertificateMaker.Make(TlsKey.P256, []);
        TlsCredentials broken = good with
        {
            ServerCertificate = $"{good.ServerCertificate}\n{good.Authority.Replace(whole, damaged, StringComparison.Ordinal)}\n",
        };
        var exception = Assert.Throws<BenchmarkException>(() => new StreamServer(Protocol.Ssl, credentials: broken));
        Assert.StartsWith("OpenSSL cannot read the server's certificate: ", exception.Message, StringComparison.Ordinal);
    }

    private static async Task<string> RefusedAsync(StreamServer server, TlsCredentials? credentials = null)
    {
        using var recorder = new RunRecorder();
        return (await Assert.ThrowsAsync<BenchmarkException>(() => server.ConnectAsync(credentials: credentials, recorder: recorder))).Message;
    }

    // With TLS 1.3 a client completes its part before the server verifies its certificate, so it may be connected for a moment.
    private static async Task IgnoreRefusalAsync(StreamServer server, TlsCredentials credentials)
    {
        using var recorder = new RunRecorder();
        try
        {
            await using IClientGroup clients = await server.ConnectAsync(credentials: credentials, recorder: recorder);
        }
        catch (BenchmarkException)
        {
            return;
        }
    }
}
