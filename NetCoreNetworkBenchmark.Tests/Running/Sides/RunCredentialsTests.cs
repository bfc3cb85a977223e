namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

public sealed class RunCredentialsTests : InTemporaryFolder
{
    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Protocol = Protocol.Ssl,
        Transmission = Transmission.Reliable,
        Tls = new TlsPlan { Key = TlsKey.P256 },
    };

    [Theory, InlineData(Protocol.Udp), InlineData(Protocol.Tcp)]
    public void Without_TLS_there_are_none(Protocol protocol) => Assert.Null(RunCredentials.For(s_plan with { Protocol = protocol }));

    [Theory, InlineData(false), InlineData(true)]
    public void Each_side_has_its_own_part_and_no_key_of_the_other(bool mutual)
    {
        RunCredentials credentials = RunCredentials.For(s_plan with { Tls = s_plan.Tls with { Mutual = mutual } })!;
        Assert.Equal(credentials.Server.Authority, credentials.Clients.Authority);
        Assert.Equal((true, true), (credentials.Server.ServerCertificate is not null, credentials.Server.ServerKey is not null));
        Assert.Equal((null, null), (credentials.Server.ClientCertificate, credentials.Server.ClientKey));
        Assert.Equal((null, null), (credentials.Clients.ServerCertificate, credentials.Clients.ServerKey));
        Assert.Equal((mutual, mutual), (credentials.Clients.ClientCertificate is not null, credentials.Clients.ClientKey is not null));
        Assert.DoesNotContain("PRIVATE", $"{credentials} {credentials.Server} {credentials.Clients}", StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("127.0.0.1", null, null, "127.0.0.1")]
    [InlineData("example.org", null, null, "example.org")]
    [InlineData("127.0.0.1", null, "example.org", "example.org")]
    [InlineData("127.0.0.1", "me@node1", null, "node1")]
    [InlineData("127.0.0.1", "me@node1", "example.org", "example.org")]
    public void The_servers_certificate_is_for_the_name_that_clients_check(string address, string? serverHost, string? serverName, string name)
    {
        RunPlan plan = s_plan with { Address = address, Hosts = new HostsPlan { ServerHost = serverHost }, Tls = s_plan.Tls with { ServerName = serverName } };
        Assert.Equal(name, plan.ServerName);
        RunCredentials credentials = RunCredentials.For(plan)!;
        using var certificate = X509Certificate2.CreateFromPem(credentials.Server.ServerCertificate);
        Assert.True(certificate.MatchesHostname(name));
        Assert.False(certificate.MatchesHostname("other.example.org"));
    }

    [Fact]
    public void For_refuses_a_name_that_no_certificate_can_have_unless_the_server_has_another_name()
    {
        string tooLong = new('a', 64);
        Assert.All(["a..b", tooLong, ".a"], name =>
        {
            RunPlan plan = s_plan with { Hosts = new HostsPlan { ServerHost = name } };
            BadInput.Throws(
                $"'{name}' cannot be the name in a certificate. Use --server-name with a host name or an IP address.", () => RunCredentials.For(plan));
            Assert.NotNull(RunCredentials.For(plan with { Tls = plan.Tls with { ServerName = "example.org" } }));
        });
        Assert.All((string[])["my_host", "::1", "example.org"], name => Assert.True(CertificateMaker.CanHave(name), name));
    }

    [Fact]
    public void A_server_on_all_addresses_has_a_certificate_for_each_of_them()
    {
        RunCredentials credentials = RunCredentials.For(s_plan with { Address = "0.0.0.0" })!;
        using var certificate = X509Certificate2.CreateFromPem(credentials.Server.ServerCertificate);
        Assert.All(["127.0.0.1", "localhost", System.Net.Dns.GetHostName()], name => Assert.True(certificate.MatchesHostname(name), name));
    }

    [Fact]
    public void For_uses_the_certificate_that_is_passed_and_trusts_the_last_in_its_file()
    {
        TlsPlan own = Written();
        RunCredentials credentials = RunCredentials.For(s_plan with { Tls = own })!;
        Assert.Equal(File.ReadAllText(PathOf("ca.crt")).Trim(), credentials.Clients.Authority);
        Assert.Equal(File.ReadAllText(own.CertificateKeyFile!).Trim(), credentials.Server.ServerKey);
        Assert.StartsWith(credentials.Server.ServerCertificate!, File.ReadAllText(own.CertificateFile!), StringComparison.Ordinal);
        Assert.DoesNotContain(credentials.Clients.Authority, credentials.Server.ServerCertificate, StringComparison.Ordinal);
    }

    [Fact]
    public void For_lets_only_the_clients_trust_the_requested_authority()
    {
        TlsPlan tls = s_plan.Tls with { AuthorityFile = Written().CertificateFile };
        RunCredentials credentials = RunCredentials.For(s_plan with { Tls = tls })!;
        Assert.Equal(File.ReadAllText(PathOf("ca.crt")).Trim(), credentials.Clients.Authority);
        Assert.NotEqual(credentials.Clients.Authority, credentials.Server.Authority);
    }

    [Fact]
    public void ForClientsAlone_takes_the_authority_that_the_user_passes()
    {
        TlsPlan tls = s_plan.Tls with { AuthorityFile = Written().CertificateFile };
        Assert.Equal(new TlsCredentials { Authority = Read("ca.crt") }, RunCredentials.ForClientsAlone(s_plan with { Tls = tls }));
        Assert.Null(RunCredentials.ForClientsAlone(s_plan with { Protocol = Protocol.Tcp }));
    }

    [Fact]
    public void Server_alone_trusts_the_requested_authority_of_its_clients()
    {
        string authority = PathOf("other.crt");
        File.WriteAllText(authority, CertificateMaker.MakeSet(TlsKey.P256, []).Authority.Certificate);
        RunCredentials credentials = RunCredentials.For(s_plan with { Tls = Written() with { Mutual = true, AuthorityFile = authority } })!;
        Assert.Equal(Read("other.crt"), credentials.Server.Authority);
    }

    [Fact]
    public void ForClientsAlone_requires_an_authority()
    {
        BadInput.Throws(
            "--role Client requires --authority PEM with Tls, the certificate of the authority that signed the server's. " +
            "The command 'certificates' writes both.",
            () => RunCredentials.ForClientsAlone(s_plan));
    }

    [Fact]
    public void ForClientsAlone_takes_the_authority_from_the_file_of_the_clients_if_it_is_there()
    {
        RunPlan mutual = s_plan with { Tls = Written("client") with { Mutual = true } };
        TlsCredentials clients = RunCredentials.ForClientsAlone(mutual)!;
        Assert.Equal(Read("ca.crt"), clients.Authority);
        Assert.Equal(Read("client.key"), clients.ClientKey);
        Assert.StartsWith(clients.ClientCertificate!, Read("client.crt"), StringComparison.Ordinal);
        Assert.Equal((null, null), (clients.ServerCertificate, clients.ServerKey));

        // A file with the certificate alone names no authority.
        File.WriteAllText(mutual.Tls.CertificateFile!, clients.ClientCertificate);
        Assert.Throws<BenchmarkException>(() => RunCredentials.ForClientsAlone(mutual));
    }

    private string Read(string file) => File.ReadAllText(PathOf(file)).Trim();

    private TlsPlan Written(string side = "server")
    {
        CertificateFolder.Write(Folder.FullName, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);
        return new TlsPlan
        {
            CertificateFile = PathOf($"{side}.crt"),
            CertificateKeyFile = PathOf($"{side}.key"),
        };
    }
}
