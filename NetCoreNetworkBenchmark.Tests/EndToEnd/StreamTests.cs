using System.Security.Authentication;
using NetCoreNetworkBenchmark.Tests.Certificates;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class StreamTests
{
    // SnapshotRunTests has every library in two processes.
    [Theory, InlineData("Sockets", Protocol.Tcp), InlineData("Sockets", Protocol.Ssl), InlineData("Quic", Protocol.Quic), Trait("Category", "Long")]
    public async Task A_run_is_valid_in_two_processes_and_has_the_default_key(string library, Protocol protocol)
    {
        LibraryUnderTest.Create(library);
        RunResult run = await BenchmarkProcess.ResultAsync($"-l {library} -P {protocol} {StreamRun.Load} {StreamRun.TwoProcesses}");
        Assert.Equal((protocol.OptionText(), "Reliable", "Fixed"), (run.Protocol, run.Transmission, run.Framing));
        Assert.NotNull(run.Costs.Server);
        StreamRun.AssertTls(run, protocol, "Rsa2048");
    }

    [Theory, InlineData("RoundTrip", Protocol.Tcp), InlineData("RoundTrip", Protocol.Ssl), InlineData("Multicast", Protocol.Tcp), Trait("Category", "Long")]
    public async Task Connections_that_are_handed_to_event_loops_are_counted_in_the_result(string test, Protocol protocol)
    {
        RunResult run = await BenchmarkProcess.ResultAsync(
            $"-l Epoll -P {protocol} -t {test} {StreamRun.KeyOf(protocol)} --set epoll.accept=handoff --server-threads 3 {StreamRun.Load} " +
            StreamRun.TwoProcesses);
        Assert.Contains("Connections were handed to 3 event loops round-robin: 2, 1, 1.", run.Remarks);
        Assert.Equal((0, "handoff"), (run.Errors, run.Plan.Settings["accept"]));
    }

    [Theory, MemberData(nameof(LibraryUnderTest.Streams), MemberType = typeof(LibraryUnderTest)), Trait("Category", "Long")]
    public async Task Every_librarys_clients_drive_it(string library, Protocol protocol)
    {
        LibraryInfo server = LibraryUnderTest.Create(library).Info;
        foreach (LibraryInfo clients in ClientLibraries.Over(protocol, server, LibraryUnderTest.Catalog.Infos))
        {
            RunResult run = await ProgramInFolder.ResultAsync(
                $"-l {library} -P {protocol} --framing length --client-library {clients.Name} {StreamRun.KeyOf(protocol)} {StreamRun.Load}");
            Assert.Equal((library, clients.Name, "Length"), (run.Library, run.ClientLibrary, run.Framing));
        }
    }

    [Theory, MemberData(nameof(StreamRun.StreamsOneInPlain), MemberType = typeof(StreamRun)), Trait("Category", "Long")]
    public async Task Server_and_clients_by_hand_find_each_other(string library, Protocol protocol)
    {
        using var certificates = new CertificatesOfRoles();
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l {library} -P {protocol} -c 4 --json{Tls("server")}");
        RunResult run = await ProgramInFolder.ResultAsync(
            $"--role Client -l {library} -P {protocol} -p {server.Port} -c 4 -m 3 --warmup 0.05 -d 0.3 --any-machine --json{Tls("client")}");
        Assert.Equal((ServerKind.Separate, 0), (run.ServerKind, run.Errors));
        ServerResult served = await server.StopServerAsync();
        Assert.Empty(served.Server.Errors);
        Assert.Equal((run.Totals.Sent, protocol.HasTls() ? "P256" : null), (served.Server.Received, served.Server.Key));

        string Tls(string side) => !protocol.HasTls() ? string.Empty
            : $" --mutual-tls --certificate {certificates.PathOf($"{side}.crt")} --certificate-key {certificates.PathOf($"{side}.key")}";
    }

    [Theory, MemberData(nameof(StreamRun.OverTcpOneInPlain), MemberType = typeof(StreamRun)), Trait("Category", "Long")]
    public async Task A_server_that_is_not_ours_is_measured_as_a_plain_echo(string library, Protocol protocol)
    {
        using var certificates = new CertificatesOfRoles();
        using X509Certificate2? certificate = protocol != Protocol.Ssl ? null
            : X509CertificateLoader.LoadPkcs12FromFile(certificates.PathOf("server.pfx"), CertificatesOfRoles.Password);
        await using var echo = new TcpServer(serve: async (connection, token) =>
        {
            if (certificate is null)
            {
                await connection.CopyToAsync(connection, token);
                return;
            }

            await using var secure = new SslStream(connection);
            await secure.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = certificate }, token);
            await secure.CopyToAsync(secure, token);
        });
        RunResult run = await ProgramInFolder.ResultAsync(
            $"--role Client -l {library} -P {protocol}{(protocol == Protocol.Ssl ? $" {certificates.OfClients}" : string.Empty)} " +
            $"-p {echo.Port} -c 4 -m 3 --warmup 0.05 -d 0.3 --any-machine --json");
        Assert.Equal((ServerKind.Separate, 0, null), (run.ServerKind, run.Errors, run.Tls?.Server));
        Assert.True(protocol == Protocol.Ssl || run.Tls is null);

        // Clients that read the server's certificate report its key.
        Assert.True(run.Tls?.Key is null or "P256", run.Tls?.Key);
        Assert.InRange(run.Messages.ClientReceived, 1, long.MaxValue);
    }
}

/// <summary>Certificates in files, over TLS with every library that offers it.</summary>
[Trait("Category", "Long")]
public sealed class StreamCertificateTests : InTemporaryFolder
{
    [Theory, MemberData(nameof(StreamRun.OverTls), MemberType = typeof(StreamRun))]
    public async Task Certificates_that_were_written_can_be_used(string library)
    {
        Assert.Equal(0, (await ProgramInFolder.RunAsync("certificates", Folder.FullName, "--key", "p384")).Code);
        string own = $"--certificate {PathOf("server.crt")} --certificate-key {PathOf("server.key")}";
        (int Code, string Output, string Errors) run = await ProgramInFolder.RunLineAsync($"-l {library} -P Ssl {own} --tls 1.3 {StreamRun.Load}");
        StreamRun.AssertTls(BenchmarkProcess.ResultOf(run, own), Protocol.Ssl, "P384");
        Assert.DoesNotContain("PRIVATE", run.Output + run.Errors, StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(StreamRun.OverTls), MemberType = typeof(StreamRun))]
    public async Task A_server_whose_certificate_is_for_another_name_or_of_another_authority_is_refused(string library)
    {
        using var certificates = new CertificatesOfRoles();
        foreach ((string options, string reason) in ((string, string)[])
        [
            ($"{certificates.OfServer} --server-name example.org", "does not name 'example.org'"),
            ($"--key P256 {certificates.OfClients}", "is not signed by an authority that is trusted"),
        ])
        {
            (int code, string output, string errors) = await ProgramInFolder.RunLineAsync($"-l {library} -P Ssl {options} {StreamRun.Load}");
            Assert.Equal((1, string.Empty), (code, output));
            Assert.Contains(reason, Assert.Single(BenchmarkProcess.WithoutWarnings(errors)), StringComparison.Ordinal);
        }
    }

    [Theory, MemberData(nameof(StreamRun.OverTls), MemberType = typeof(StreamRun))]
    public async Task OpenSSL_verifies_a_server_with_the_certificate_that_was_written(string library)
    {
        using var certificates = new CertificatesOfRoles(TlsKey.Rsa2048);
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l {library} -P Ssl -c 4 {certificates.OfServer}");
        (int code, string said) = await OpenSsl.RunAsync(
            "s_client", "-connect", $"127.0.0.1:{server.Port}", "-CAfile", certificates.PathOf("ca.crt"), "-verify_return_error", "-verify_ip", "127.0.0.1");
        Assert.True(code == 0, said);
        Assert.Contains("Verify return code: 0 (ok)", said, StringComparison.Ordinal);
        await server.StopAsync();
    }
}

internal static class StreamRun
{
    /// <summary>A short load. On a machine that is busy with other tests, a tenth of a second can pass without a message.</summary>
    public const string Load = "-p 0 -c 4 -m 3 --warmup 0.05 -d 0.3 --any-machine --json";

    /// <summary>The option for server and clients in a process each: a setting of the runtime, to its default, is for processes of the run alone.</summary>
    public const string TwoProcesses = "--runtime gcConcurrent=1";

    /// <summary>
    /// The option for a key that is made at once, for tests of anything but the key. The default is RSA: to make such keys takes several times as long as the
    /// rest of a short run.
    /// </summary>
    public static string KeyOf(Protocol protocol) => protocol.HasTls() ? "--key P256" : string.Empty;

    public static IEnumerable<TheoryDataRow<string, Protocol>> StreamsOneInPlain() => LibraryUnderTest.OneInPlain(LibraryUnderTest.Streams(), "Sockets");

    public static IEnumerable<TheoryDataRow<string, Protocol>> OverTcpOneInPlain() => LibraryUnderTest.OneInPlain(LibraryUnderTest.OverTcp(), "Sockets");

    public static IEnumerable<TheoryDataRow<string>> OverTls() =>
        from row in LibraryUnderTest.Streams()
        where row.Data.Item2 == Protocol.Ssl
        select new TheoryDataRow<string>(row.Data.Item1) { Skip = row.Skip };

    /// <summary>Asserts that the result contains the negotiated parameters that the connections reported, or none over TCP.</summary>
    public static void AssertTls(RunResult run, Protocol protocol, string key)
    {
        if (!protocol.HasTls())
        {
            Assert.Null(run.Tls);
            return;
        }

        Assert.Equal((key, run.Plan.Clients), (run.Tls!.Key, (int)run.Tls.Clients.Sum(agreed => agreed.Count)));
        Assert.All(run.Tls.Clients, agreed => Assert.Contains(agreed.Version, (string[])["1.2", "1.3"]));
        Assert.All(run.Tls.Clients, agreed => Assert.StartsWith("TLS_", agreed.Cipher, StringComparison.Ordinal));

        // The library for QUIC has a TLS of its own.
        Assert.Equal(OperatingSystem.IsLinux() && protocol != Protocol.Quic, run.Tls.OpenSslVersion is not null);
    }
}

/// <summary>A server over TCP that is not part of the program. It serves each connection until the client leaves or the test ends.</summary>
internal class TcpServer : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Func<NetworkStream, CancellationToken, Task>? _serve;
    private readonly TcpListener _listener;
    private readonly List<Task> _served = [];
    private readonly Task _accepting;

    public TcpServer(Func<NetworkStream, CancellationToken, Task>? serve = null, string address = "127.0.0.1")
    {
        _serve = serve;
        _listener = new TcpListener(IPAddress.Parse(address), 0);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public IPEndPoint EndPoint => (IPEndPoint)_listener.LocalEndpoint;
    public int Port => EndPoint.Port;
    protected CancellationToken Stopping => _stop.Token;

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await Task.WhenAll([_accepting, .. _served]).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _listener.Dispose();
        _stop.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>Serves one connection; without a handler of the test, sends back what comes.</summary>
    protected virtual Task ServeAsync(NetworkStream connection) => _serve?.Invoke(connection, Stopping) ?? connection.CopyToAsync(connection, Stopping);

    /// <summary>Other work, which ends with the test.</summary>
    protected virtual Task BesideAsync() => Task.CompletedTask;

    private async Task AcceptAsync()
    {
        _served.Add(BesideAsync());
        while (true)
        {
            _served.Add(ServeAsync(await _listener.AcceptTcpClientAsync(Stopping)));
        }
    }

    private async Task ServeAsync(TcpClient connection)
    {
        using (connection)
        {
            connection.NoDelay = true;
            try
            {
                await using NetworkStream stream = connection.GetStream();
                await ServeAsync(stream);
            }
            catch (Exception exception) when (exception is IOException or OperationCanceledException or AuthenticationException)
            {
                // A client has left, or the test has ended.
                return;
            }
        }
    }
}
