using NetCoreNetworkBenchmark.Libraries.Nginx;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The command that shows whether a TLS server resumes sessions.</summary>
public sealed class TlsCheckTests
{
    private const string Short = "-c 2 -d 0.2";

    [Theory, Trait("Category", "Long")]
    [InlineData("--resumption ticket --tls 1.2", "TLS 1.2, TLS_ECDHE_ECDSA_", "(by ticket)")]
    [InlineData("--resumption ticket --tls 1.3", "TLS 1.3, TLS_AES_", "(by ticket)")]
    [InlineData("--resumption none --tls 1.3", "TLS 1.3, TLS_AES_", null)]
    public Task It_shows_whether_nginx_resumes(string server, string negotiated, string? how)
    {
        Assert.SkipWhen(NginxBenchmark.FindProgram() is null, "nginx is not installed on this machine.");
        return AssertShowsAsync($"-l nginx {server}", negotiated, how);
    }

    [Theory, Trait("Category", "Long")]
    [InlineData("-l Epoll --resumption session --tls 1.2", "TLS 1.2, TLS_ECDHE_ECDSA_", "(by session)")]
    [InlineData("-l Epoll", "TLS 1.3, TLS_AES_", null)]
    [InlineData("-l Kestrel --resumption ticket", "TLS 1.3, TLS_AES_", "(by ticket)", Traits = ["Category", "Long"])]
    public Task It_shows_whether_a_server_of_this_program_resumes(string server, string negotiated, string? how) => AssertShowsAsync(server, negotiated, how);

    [Fact, Trait("Category", "Long")]
    public async Task The_authorities_of_the_system_are_trusted_unless_one_is_passed()
    {
        using var certificates = new CertificatesOfRoles();
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l Epoll -P Ssl -t Handshake {certificates.OfServer}");
        string[] check = $"tls-check https://127.0.0.1:{server.Port}/ {Short}".Split(' ');
        using var others = new CertificatesOfRoles();
        (int code, string output, string errors) = await TrustingAsync(others, check);
        Assert.Equal((1, string.Empty), (code, output));
        Assert.Matches(@"^Error: .* is not signed by an authority that is trusted\. --authority PEM is .*\n$", errors);
        (code, output, errors) = await TrustingAsync(certificates, check);
        Assert.True(code == 0, errors);
        Assert.Contains("This server does not resume: ", output, StringComparison.Ordinal);
    }

    [Theory, InlineData(0, 100), InlineData(100, 0)]
    public void Report_compares_no_rates_of_which_one_is_zero(double without, double keeping)
    {
        using var output = new StringWriter { NewLine = "\n" };
        using var errors = new StringWriter { NewLine = "\n" };
        var context = new CommandContext(LibraryUnderTest.Catalog, ProgramInFolder.Formats, output, errors);
        RunResult Resumed(double rate) => SampleResults.Stream.WithRate(rate).WithClients(clients => clients with
        {
            Handshakes = [.. clients.Handshakes.Select(handshake => handshake with { Resumed = true })],
        });
        TlsCheckCommand.Report(new Uri("https://localhost/"), Resumed(without), Resumed(keeping), context);
        Assert.DoesNotContain("This server resumes", $"{output}", StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_port_without_a_server_is_reported()
    {
        using var bound = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        bound.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await ProgramInFolder.AssertFailsAsync(
            $"tls-check https://{bound.LocalEndPoint}/", $"No server accepts connections at {bound.LocalEndPoint}. ", exitCode: 1);
    }

    [Fact]
    public async Task A_server_without_TLS_is_reported()
    {
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync("-l Epoll -P Tcp -t Handshake");
        await ProgramInFolder.AssertFailsAsync($"tls-check https://127.0.0.1:{server.Port}/", "A server listens at 127.0.0.1:", exitCode: 1);
    }

    // The first connection of each client has no session. One resumed handshake alone shows that the server resumes.
    private static async Task AssertShowsAsync(string server, string negotiated, string? how)
    {
        using var certificates = new CertificatesOfRoles();
        using BenchmarkProcess process = await BenchmarkProcess.StartServerAsync($"{server} -P Ssl -t Handshake {certificates.OfServer}");
        (int code, string output, string errors) = await ProgramInFolder.RunLineAsync(
            $"tls-check https://127.0.0.1:{process.Port}/any?path {certificates.OfClients} {Short}");
        Assert.True(code == 0, errors);
        Assert.Contains($"127.0.0.1:{process.Port}: {negotiated}", output, StringComparison.Ordinal);
        Assert.Contains(", certificate with the key P256\n", output, StringComparison.Ordinal);
        Assert.Matches(@"\| bring no session +\| [\d,]+ +\| [\d,]+ \(100 %\) +\| 0 \(0 %\) +\|", output);
        Assert.Matches(
            how is null
                ? @"\(100 %\) +\| 0 \(0 %\) +\|\s+This server does not resume: "
                : $@"\| keep their session [^\n]+\s+This server resumes: .*{Regex.Escape(how)}",
            output);
        Assert.Equal(
            how is not null && negotiated.StartsWith("TLS 1.2", StringComparison.Ordinal),
            output.Contains("A resumed handshake of TLS 1.2 has no key exchange ", StringComparison.Ordinal));
    }

    private static Task<(int ExitCode, string Output, string Errors)> TrustingAsync(CertificatesOfRoles certificates, string[] arguments) =>
        BenchmarkProcess.RunWithAsync(
            new Dictionary<string, string?> { ["SSL_CERT_FILE"] = certificates.OfClients.Split(' ')[1], ["SSL_CERT_DIR"] = "/nonexistent" }, arguments);
}
