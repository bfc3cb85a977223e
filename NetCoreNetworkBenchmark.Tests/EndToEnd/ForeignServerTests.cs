using NetCoreNetworkBenchmark.Tests.Certificates;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Clients at servers that are not part of it, when something does not fit: each reason is named for what it is.</summary>
public sealed class ForeignServerTests : InTemporaryFolder
{
    private const string Handshakes = "-l Epoll -P Ssl -t Handshake";
    private const string Messages = "-l Sockets -P Ssl";

    [Theory, Trait("Category", "Long")]
    [InlineData(Handshakes, "the TLS handshake failed: the server's certificate has expired", true)]
    [InlineData(Messages, "the TLS handshake failed: the server's certificate has expired", true)]
    [InlineData(Handshakes + " --tls 1.3", "the TLS handshake failed: the server has no TLS version in common with this side", false, "-tls1_2")]
    [InlineData(Messages + " --tls 1.3", "the TLS handshake failed: the server has no TLS version in common with this side", false, "-tls1_2")]
    [InlineData(
        Handshakes + " --group x25519", "the TLS handshake failed: the server has no group or cipher in common with this side or requires a certificate", false,
        "-groups", "secp384r1")]
    [InlineData(Handshakes, "the server requires a certificate of this side", false, "-Verify", "1")]
    public async Task The_reason_of_a_server_that_listens_is_named(string load, string reason, bool hasExpired, params string[] options)
    {
        (int code, string output, string errors, string port) = await AtOpenSslAsync(load, hasExpired, options);
        Assert.Equal((1, string.Empty), (code, output));
        string sentence = Assert.Single(BenchmarkProcess.WithoutWarnings(errors));
        Assert.StartsWith($"Error: A server listens at 127.0.0.1:{port}, but a client could not connect: ", sentence, StringComparison.Ordinal);
        Assert.Contains(reason, sentence, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_resumes_nothing_is_not_called_the_one_of_the_clients_library()
    {
        (int code, string output, string errors, string port) = await AtOpenSslAsync(
            $"{Handshakes} --resumption ticket --any-machine", hasExpired: false, "-num_tickets", "0");
        Assert.True(code == 1, errors + output);
        Assert.Contains($"the server at 127.0.0.1, port {port}, does not offer resumption by ticket, or refuses it.", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_answer_of_HTTP_that_is_an_error_is_named()
    {
        await using var server = new TcpServer(async (connection, token) =>
        {
            await connection.WriteAsync(Encoding.ASCII.GetBytes("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), token);
            await connection.CopyToAsync(Stream.Null, token);
        });
        (int code, _, string errors) = await ProgramInFolder.RunLineAsync(
            $"--role Client -l Epoll -P Tcp -t Handshake -p {server.Port} -c 1 -d 0.2 --warmup 0");
        Assert.Equal(1, code);
        Assert.Equal(
            $"Error: A server listens at {server.EndPoint}, but a client could not connect: the server answered 'HTTP/1.1 404 Not Found'.",
            Assert.Single(BenchmarkProcess.WithoutWarnings(errors)));
    }

    [Theory, InlineData("127.0.0.1"), InlineData("::1"), InlineData(null), Trait("Category", "Long")]
    public async Task All_addresses_of_a_name_are_tried(string? serving)
    {
        LibraryUnderTest.RequireIPv6Loopback();
        await File.WriteAllTextAsync(PathOf("hosts"), "::1 twofold\n127.0.0.1 twofold\n", TestContext.Current.CancellationToken);
        await using var echo = new TcpServer(address: serving ?? "127.0.0.9");
        int port = echo.Port;

        // The names of this system, as one process sees them.
        (int code, string output, string errors) = await BenchmarkProcess.RunThroughAsync(
            ["unshare", "-m", "sh", "-c", $"mount --bind {PathOf("hosts")} /etc/hosts && exec \"$@\"", "sh"],
            $"--role Client -l Sockets -P Tcp -a twofold -p {port} -c 2 -d 0.2 --warmup 0.1 --any-machine --json".Split(' '));
        Assert.SkipWhen(errors.Contains("unshare failed", StringComparison.Ordinal), "This user cannot make a mount namespace.");
        if (serving is null)
        {
            Assert.Equal(1, code);

            // The shell in between may have warnings of its own.
            string sentence = BenchmarkProcess.WithoutWarnings(errors)[^1];
            Assert.StartsWith("Error: No server answers at ", sentence, StringComparison.Ordinal);
            Assert.Contains($"[::1]:{port}", sentence, StringComparison.Ordinal);
            Assert.Contains($"127.0.0.1:{port}", sentence, StringComparison.Ordinal);
        }
        else
        {
            Assert.True(code == 0, errors);
            Assert.Contains($"\"address\": \"{serving}\"", output, StringComparison.Ordinal);
        }
    }

    private static async Task<(int Code, string Output, string Errors, string Port)> AtOpenSslAsync(string load, bool hasExpired, params string[] options)
    {
        using var certificates = new CertificatesOfRoles(notAfter: hasExpired ? new DateTimeOffset(2020, 1, 1, 0, 0, 0, TimeSpan.Zero) : null);
        string[] own = ["-cert", certificates.PathOf("server.crt"), "-key", certificates.PathOf("server.key")];
        using Process server = OpenSsl.Start(["s_server", "-accept", "127.0.0.1:0", .. own, "-www", .. options]);
        try
        {
            string port = (await OpenSsl.AcceptingAsync(server)).Split(':')[^1];
            (int code, string output, string errors) = await ProgramInFolder.RunLineAsync(
                $"--role Client {load} {certificates.OfClients} -p {port} -c 1 -d 0.2 --warmup 0");
            return (code, output, errors, port);
        }
        finally
        {
            server.Kill();
        }
    }
}
