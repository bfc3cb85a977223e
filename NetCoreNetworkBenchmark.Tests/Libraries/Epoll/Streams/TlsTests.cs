using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.Streams;

/// <summary>What OpenSSL says: the negotiated parameters, and the errors in its words.</summary>
public sealed class TlsTests
{
    [Theory, InlineData("1.2", "TLS_ECDHE_ECDSA_"), InlineData("1.3", "TLS_"), InlineData(null, "TLS_")]
    public async Task Negotiated_parameters_are_counted_by_both_sides(string? version, string cipher)
    {
        await using var service = new StreamService("Epoll", Protocol.Ssl, plan => plan with { Tls = new TlsPlan { Version = version }, Clients = 3 });
        await using IClientGroup clients = await service.ConnectClientsAsync();
        await service.Handler.Connected.ReachesAsync(3, "clients seen by the server");
        NegotiatedTls client = Assert.Single(service.ClientRecorder.Handshakes());
        Assert.Equal((client, 3, version ?? "1.3"), (Assert.Single(service.Recorder.Handshakes()), client.Count, client.Version));
        client.Cipher.AssertBegins(cipher);
        Assert.NotNull(client.Group);
        Assert.False(client.Resumed);
    }

    [Fact]
    public async Task Another_certificate_than_the_accepted_one_is_verified_too()
    {
        await using var trusted = new StreamService("Epoll", Protocol.Ssl);
        await using var stranger = new StreamService("Epoll", Protocol.Ssl);
        Func<int, StreamTransport> createTransport = EpollBenchmark.TransportFactoryOf(trusted.CreateClientSetup(trusted.Client));
        Assert.Equal(string.Empty, await FailureAsync(trusted));
        Assert.Equal(string.Empty, await FailureAsync(trusted));
        Assert.Equal("the server's certificate is not signed by an authority that is trusted", await FailureAsync(stranger));
        Assert.Equal(string.Empty, await FailureAsync(trusted));

        async Task<string> FailureAsync(StreamService service)
        {
            using StreamTransport transport = createTransport(StreamSocket.Connect(service.EndPoint, out SocketError error));
            Assert.Equal(SocketError.Success, error);
            var outcome = Outcome.WantsWrite;
            await Wait.UntilAsync(() => (outcome = transport.Handshake()) is Outcome.Done or Outcome.Failed, () => $"the handshake {outcome}");
            return transport.Failure;
        }
    }

    [Fact]
    public async Task A_server_names_the_alert_of_a_client_that_does_not_trust_it()
    {
        await using var service = new StreamService("Epoll", Protocol.Ssl);
        await Assert.ThrowsAsync<BenchmarkException>(() => service.ConnectClientsAsync(credentials: CertificateMaker.Make(TlsKey.P256, [])));
        await service.AssertOnlyErrorAsync("server TLS handshake failed: the client does not trust the certificate of this side (tlsv1 alert unknown ca)");
    }

    [Theory, InlineData("nothing that TLS would begin with", "the client does not speak TLS"), InlineData("", "the client closed the connection")]
    public async Task A_server_names_the_reason_that_a_handshake_failed(string sent, string reason)
    {
        await using var service = new StreamService("Epoll", Protocol.Ssl);
        await using (Stream plain = await service.ConnectPlainAsync())
        {
            await plain.WriteAsync(System.Text.Encoding.ASCII.GetBytes(sent), TestContext.Current.CancellationToken);
        }

        Assert.Equal($"server TLS handshake failed: {reason}", await service.ErrorAsync("server TLS handshake failed: "));
    }

    // The server echoes each byte. TLS data starts with a length, so after a partial echo the client would wait for the rest until its deadline.
    [Fact]
    public async Task Handshake_fails_with_its_reason_when_the_server_has_no_TLS()
    {
        await using var service = new StreamService("Epoll", Protocol.Tcp, plan => plan with { MessageSize = 1 });
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => service.ConnectClientsAsync(plan => plan with { Protocol = Protocol.Ssl }));
        Assert.Equal("A client could not connect: the TLS handshake failed: unexpected message.", exception.Message);
        await service.AssertServesAsync();
    }

    [Theory]
    [InlineData("another key", "OpenSSL does not accept the server's key: ")]
    [InlineData("nothing", "OpenSSL cannot read the server's certificate: ")]
    [InlineData("-----END", "OpenSSL cannot read the server's certificate: ", "----END")]
    [InlineData("MII", "OpenSSL cannot read the server's certificate: ", "M!I")]
    [InlineData("MII", "OpenSSL cannot read the server's certificate: ", "AII")]
    public void Credentials_that_do_not_fit_or_are_damaged_in_the_chain_are_refused_in_a_sentence(string part, string sentence, string? damaged = null)
    {
        TlsCredentials good = CertificateMaker.Make(TlsKey.P256, []);
        TlsCredentials bad = (part, damaged) switch
        {
            ("another key", _) => good with { ServerKey = CertificateMaker.Make(TlsKey.P256, []).ServerKey },
            (_, null) => good with { ServerCertificate = part },
            _ => good with { ServerCertificate = $"{good.ServerCertificate}\n{good.Authority.Replace(part, damaged, StringComparison.Ordinal)}\n" },
        };
        Assert.Throws<BenchmarkException>(() => new StreamService("Epoll", Protocol.Ssl, credentials: bad)).Message.AssertBegins(sentence);
    }
}
