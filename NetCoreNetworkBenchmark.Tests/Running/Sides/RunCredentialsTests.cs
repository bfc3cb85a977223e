using System.Security.Cryptography.X509Certificates;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Certificates;

namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

public sealed class RunCredentialsTests : IDisposable
{
    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Protocol = Protocol.Ssl,
        Transmission = Transmission.Reliable,
        Tls = new TlsPlan { Key = TlsKey.P256 },
    };

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-");

    [Theory]
    [InlineData(Protocol.Udp)]
    [InlineData(Protocol.Tcp)]
    public void Without_TLS_there_are_none(Protocol protocol) => Assert.Null(RunCredentials.For(s_plan with { Protocol = protocol }));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
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
    public void A_server_on_all_addresses_has_a_certificate_for_each_of_them()
    {
        RunCredentials credentials = RunCredentials.For(s_plan with { Address = "0.0.0.0" })!;
        using var certificate = X509Certificate2.CreateFromPem(credentials.Server.ServerCertificate);
        Assert.All(["127.0.0.1", "localhost", System.Net.Dns.GetHostName()], name => Assert.True(certificate.MatchesHostname(name), name));
    }

    [Fact]
    public void Ones_own_certificate_is_shown_and_the_last_in_its_file_is_trusted()
    {
        TlsPlan own = Written();
        RunCredentials credentials = RunCredentials.For(s_plan with { Tls = own })!;
        Assert.Equal(File.ReadAllText(Path.Combine(_folder.FullName, "ca.crt")).Trim(), credentials.Clients.Authority);
        Assert.Equal(File.ReadAllText(own.CertificateKeyFile!).Trim(), credentials.Server.ServerKey);
        Assert.StartsWith(credentials.Server.ServerCertificate!, File.ReadAllText(own.CertificateFile!), StringComparison.Ordinal);
        Assert.DoesNotContain(credentials.Clients.Authority, credentials.Server.ServerCertificate, StringComparison.Ordinal);
    }

    [Fact]
    public void The_authority_that_is_asked_for_is_trusted_by_the_clients_alone()
    {
        TlsPlan tls = s_plan.Tls with { AuthorityFile = Written().CertificateFile };
        RunCredentials credentials = RunCredentials.For(s_plan with { Tls = tls })!;
        Assert.Equal(File.ReadAllText(Path.Combine(_folder.FullName, "ca.crt")).Trim(), credentials.Clients.Authority);
        Assert.NotEqual(credentials.Clients.Authority, credentials.Server.Authority);
    }

    [Fact]
    public void Clients_by_hand_take_what_is_handed_over_and_their_own_authority_first()
    {
        TlsCredentials made = CertificateMaker.Make(TlsKey.P256, []).ForClients();
        Assert.Equal(new TlsCredentials { Authority = made.Authority }, RunCredentials.ForStandaloneClients(s_plan, made));
        string own = RunCredentials.ForStandaloneClients(s_plan with { Tls = s_plan.Tls with { AuthorityFile = Written().CertificateFile } }, made)!.Authority;
        Assert.Equal(File.ReadAllText(Path.Combine(_folder.FullName, "ca.crt")).Trim(), own);
        Assert.Null(RunCredentials.ForStandaloneClients(s_plan with { Protocol = Protocol.Tcp }, null));
    }

    [Fact]
    public void A_server_by_itself_that_verifies_its_clients_trusts_the_authority_that_is_asked_for()
    {
        string authority = Path.Combine(_folder.FullName, "other.crt");
        File.WriteAllText(authority, CertificateMaker.MakeSet(TlsKey.P256, []).Authority.Certificate);
        RunCredentials credentials = RunCredentials.For(s_plan with { Tls = Written() with { Mutual = true, AuthorityFile = authority } })!;
        Assert.Equal(Read("other.crt"), credentials.Server.Authority);
    }

    [Fact]
    public void Clients_by_hand_that_are_handed_a_chain_without_its_root_say_so()
    {
        using var chain = new ChainOfThree();
        var exception = Assert.Throws<BenchmarkException>(
            () => RunCredentials.ForStandaloneClients(s_plan, new TlsCredentials { Authority = chain.Between }));
        Assert.Equal(
            "The file of the server's certificate ends without its root, which the clients need to verify it: --authority PEM.", exception.Message);
    }

    [Fact]
    public void Clients_by_hand_that_know_nobody_to_trust_say_so()
    {
        var exception = Assert.Throws<BenchmarkException>(() => RunCredentials.ForStandaloneClients(s_plan, null));
        Assert.Equal(
            "No server of this program answers, and to verify another one the clients need the certificate of whoever signed that server's: --authority PEM. " +
            "A server of this program on another host answers if it has --control any, in a network that is trusted.",
            exception.Message);
    }

    [Fact]
    public void Clients_by_hand_show_the_users_certificate_and_never_one_that_was_handed_over()
    {
        TlsCredentials handedOver = CertificateMaker.Make(TlsKey.P256, []).ForClients();
        RunPlan mutual = s_plan with { Tls = Written("client") with { Mutual = true } };
        TlsCredentials clients = RunCredentials.ForStandaloneClients(mutual, handedOver)!;
        Assert.Equal(Read("ca.crt"), clients.Authority);
        Assert.Equal(Read("client.key"), clients.ClientKey);
        Assert.StartsWith(clients.ClientCertificate!, Read("client.crt"), StringComparison.Ordinal);
        Assert.Equal((null, null), (clients.ServerCertificate, clients.ServerKey));

        // A file with the certificate alone names no authority.
        File.WriteAllText(mutual.Tls.CertificateFile!, clients.ClientCertificate);
        Assert.Equal(handedOver.Authority, RunCredentials.ForStandaloneClients(mutual, handedOver)!.Authority);
        var exception = Assert.Throws<BenchmarkException>(
            () => RunCredentials.ForStandaloneClients(s_plan with { Tls = s_plan.Tls with { Mutual = true } }, handedOver));
        Assert.Equal("Mutual TLS needs a certificate of the clients: --certificate PEM --certificate-key PEM.", exception.Message);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private string Read(string file) => File.ReadAllText(Path.Combine(_folder.FullName, file)).Trim();

    private TlsPlan Written(string side = "server")
    {
        CertificateFolder.Write(_folder.FullName, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);
        return new TlsPlan
        {
            CertificateFile = Path.Combine(_folder.FullName, $"{side}.crt"),
            CertificateKeyFile = Path.Combine(_folder.FullName, $"{side}.key"),
        };
    }
}
