using NetCoreNetworkBenchmark.Tests.Certificates;
using System.Security.Authentication;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class StreamTests : InTemporaryFolder
{
    [Theory, MemberData(nameof(StreamRun.StreamsOneInPlain), MemberType = typeof(StreamRun))]
    public async Task A_run_is_valid_in_two_processes(string library, Protocol protocol)
    {
        // One library has the default key. To make such a key takes longer than the run.
        bool hasDefault = library == "Sockets";
        RunResult run = await BenchmarkProcess.ResultAsync(
            $"-l {library} -P {protocol} {StreamRun.Load} {StreamRun.TwoProcesses} {(hasDefault ? string.Empty : StreamRun.KeyOf(protocol))}");
        Assert.Equal((protocol.ToString(), "Reliable", "Fixed"), (run.Protocol, run.Transmission, run.Framing));
        Assert.NotNull(run.Costs.Server);
        StreamRun.AssertTls(run, protocol, hasDefault ? "Rsa2048" : "P256");
    }

    [Theory]
    [InlineData("RoundTrip", Protocol.Tcp, Traits = ["Category", "Long"])]
    [InlineData("RoundTrip", Protocol.Ssl)]
    [InlineData("Multicast", Protocol.Tcp, Traits = ["Category", "Long"])]
    public async Task Connections_that_are_handed_to_event_loops_are_counted_in_the_result(string test, Protocol protocol)
    {
        RunResult run = await BenchmarkProcess.ResultAsync(
            $"-l Epoll -P {protocol} -t {test} {StreamRun.KeyOf(protocol)} --set epoll.accept=handoff --server-threads 3 {StreamRun.Load} " +
            StreamRun.TwoProcesses);
        Assert.Contains("Connections were handed to 3 event loops round-robin: 2, 1, 1.", run.Remarks);
        Assert.Equal((0, "handoff"), (run.Errors, run.Plan.Settings["accept"]));
    }

    [Theory, MemberData(nameof(StreamRun.Streams), MemberType = typeof(StreamRun))]
    [Trait("Category", "Long")]
    public async Task Every_librarys_clients_drive_it(string library, Protocol protocol)
    {
        foreach (LibraryInfo clients in ClientLibraries.Over(protocol, LibraryUnderTest.Catalog.Infos))
        {
            RunResult run = await BenchmarkProcess.ResultAsync(
                $"-l {library} -P {protocol} --framing length --client-library {clients.Name} {StreamRun.KeyOf(protocol)} {StreamRun.Load}");
            Assert.Equal((library, clients.Name, "Length"), (run.Library, run.ClientLibrary, run.Framing));
        }
    }

    [Theory, MemberData(nameof(StreamRun.StreamsOneInPlain), MemberType = typeof(StreamRun))]
    public async Task Server_and_clients_by_hand_find_each_other(string library, Protocol protocol)
    {
        if (protocol.HasTls())
        {
            (int written, _, string errors) = await ProgramInFolder.RunAsync("certificates", Folder.FullName, "--key", "p256");
            Assert.True(written == 0, errors);
        }

        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l {library} -P {protocol} -c 4 --json{Tls("server")}");
        RunResult run = await BenchmarkProcess.ResultAsync(
            $"--role Client -l {library} -P {protocol} -p {server.Port} -c 4 -m 3 --warmup 0.05 -d 0.3 --any-machine --json{Tls("client")}");
        Assert.Equal((ServerKind.Apart, 0), (run.ServerKind, run.Errors));
        ServerResult served = await server.StopServerAsync();
        Assert.Empty(served.Server.Errors);
        Assert.Equal((run.Totals.Sent, protocol.HasTls() ? "P256" : null), (served.Server.Received, served.Server.Key));

        string Tls(string side) => protocol.HasTls() ? $" --mutual-tls --certificate {Folder}/{side}.crt --certificate-key {Folder}/{side}.key" : string.Empty;
    }

    [Fact]
    public async Task Clients_with_a_certificate_of_another_authority_are_refused()
    {
        string[] folders = [.. ((string[])["one", "other"]).Select(name => PathOf(name))];
        foreach (string folder in folders)
        {
            CertificateFolder.Write(folder, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);
        }

        const string Common = "-l Sockets -P Ssl -c 2 --mutual-tls";
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync(
            $"{Common} --certificate {folders[0]}/server.crt --certificate-key {folders[0]}/server.key");
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"--role Client -p {server.Port} {Common} --certificate {folders[1]}/client.crt --certificate-key {folders[1]}/client.key " +
            $"--authority {folders[0]}/ca.crt --warmup 0.05 -d 0.3 --any-machine");

        // With TLS 1.3 a client is connected before the server has seen its certificate.
        Assert.Equal(1, code);
        Assert.Matches("connected|lost", output + errors);
        await server.StopAsync();
    }

    [Theory, MemberData(nameof(StreamRun.OverTcpOneInPlain), MemberType = typeof(StreamRun))]
    public async Task A_server_that_is_not_ours_is_measured_as_a_plain_echo(string library, Protocol protocol)
    {
        string folder = Folder.FullName;
        CertificateFolder.Write(folder, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);
        await using var echo = new StreamEcho(protocol == Protocol.Ssl ? Path.Combine(folder, "server.pfx") : null, "x");
        RunResult run = await ProgramInFolder.ResultAsync(
            $"--role Client -l {library} -P {protocol}{(protocol == Protocol.Ssl ? $" --authority {folder}/ca.crt" : string.Empty)} " +
            $"-p {echo.Port} -c 4 -m 3 --warmup 0.05 -d 0.3 --any-machine --json");
        Assert.Equal((ServerKind.Apart, 0, null), (run.ServerKind, run.Errors, run.Tls?.Server));

        // Clients that read the server's certificate report its key.
        Assert.True(run.Tls?.Key is null or "P256", run.Tls?.Key);
        Assert.InRange(run.Messages.ClientReceived, 1, long.MaxValue);
    }
}

/// <summary>A server that sends back the bytes that it receives over TCP, or over TLS if it has a certificate.</summary>
internal sealed class StreamEcho : TcpServer
{
    private readonly X509Certificate2? _certificate;

    /// <summary>Starts to listen.</summary>
    /// <param name="pfx">The file of the server's certificate; null for no TLS.</param>
    /// <param name="password">The file's password.</param>
    public StreamEcho(string? pfx, string password)
    {
        _certificate = pfx is null ? null : X509CertificateLoader.LoadPkcs12FromFile(pfx, password);
        Start();
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        _certificate?.Dispose();
    }

    protected override async Task ServeAsync(NetworkStream connection, CancellationToken cancellationToken)
    {
        if (_certificate is null)
        {
            await connection.CopyToAsync(connection, cancellationToken);
            return;
        }

        await using var secure = new SslStream(connection);
        await secure.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = _certificate }, cancellationToken);
        await secure.CopyToAsync(secure, cancellationToken);
    }
}

/// <summary>The real program with certificates in files, over TLS with every library that offers it.</summary>
[Trait("Category", "Long")]
public sealed class StreamCertificateTests : InTemporaryFolder
{
    private string Own => $"--certificate {Folder.FullName}/server.crt --certificate-key {Folder.FullName}/server.key";

    [Theory, MemberData(nameof(StreamRun.OverTls), MemberType = typeof(StreamRun))]
    public async Task Certificates_that_were_written_can_be_used(string library)
    {
        string own = await WriteAsync("p384");
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-l {library} -P Ssl {own} --tls 1.3 {StreamRun.Load}");
        Assert.True(code == 0, errors);
        StreamRun.AssertTls(JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!, Protocol.Ssl, "P384");
        Assert.DoesNotContain("PRIVATE", output + errors, StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(StreamRun.OverTls), MemberType = typeof(StreamRun))]
    public async Task A_server_whose_certificate_is_for_another_name_or_of_another_authority_is_refused(string library)
    {
        string own = await WriteAsync("p256");
        foreach ((string options, string reason) in ((string, string)[])
        [
            ($"{own} --server-name example.org", "is for another name than 'example.org'"),
            ($"--key P256 --authority {Folder.FullName}/ca.crt", "is not signed by an authority that is trusted"),
        ])
        {
            (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-l {library} -P Ssl {options} {StreamRun.Load}");
            Assert.Equal((1, string.Empty), (code, output));
            Assert.Contains(reason, Assert.Single(BenchmarkProcess.WithoutWarnings(errors)), StringComparison.Ordinal);
        }
    }

    [Theory, MemberData(nameof(StreamRun.OverTls), MemberType = typeof(StreamRun))]
    public async Task OpenSSL_verifies_a_server_with_the_certificate_that_was_written(string library)
    {
        string folder = Folder.FullName;
        CertificateFolder.Write(folder, CertificateMaker.MakeSet(TlsKey.Rsa2048, []), "x", replace: false);
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l {library} -P Ssl -c 4 {Own}");
        (int code, string said) = await OpenSsl.RunAsync(
            "s_client", "-connect", $"127.0.0.1:{server.Port}", "-CAfile", $"{folder}/ca.crt", "-verify_return_error", "-verify_ip", "127.0.0.1");
        Assert.True(code == 0, said);
        Assert.Contains("Verify return code: 0 (ok)", said, StringComparison.Ordinal);
        await server.StopAsync();
    }

    // The options that make the server use the written files.
    private async Task<string> WriteAsync(string key)
    {
        Assert.Equal(0, (await BenchmarkProcess.RunAsync("certificates", Folder.FullName, "--key", key)).ExitCode);
        return Own;
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

    public static IEnumerable<TheoryDataRow<string, Protocol>> Streams() => LibraryUnderTest.Transports().Where(row => row.Data.Item2.IsStream());

    public static IEnumerable<TheoryDataRow<string, Protocol>> StreamsOneInPlain() => LibraryUnderTest.OneInPlain(Streams(), "Sockets");

    public static IEnumerable<TheoryDataRow<string, Protocol>> OverTcpOneInPlain() => LibraryUnderTest.OneInPlain(LibraryUnderTest.OverTcp(), "Sockets");

    public static IEnumerable<TheoryDataRow<string>> OverTls() =>
        from row in Streams()
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
internal abstract class TcpServer : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private Task _running = Task.CompletedTask;

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public virtual async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _listener.Dispose();
        _stop.Dispose();
    }

    /// <summary>Starts to listen. The last call of a constructor.</summary>
    /// <param name="besides">Other work, which ends with the test.</param>
    protected void Start(Func<CancellationToken, Task>? besides = null)
    {
        _listener.Start();
        _running = AcceptAsync(besides);
    }

    protected abstract Task ServeAsync(NetworkStream connection, CancellationToken cancellationToken);

    private async Task AcceptAsync(Func<CancellationToken, Task>? besides)
    {
        List<Task> served = besides is null ? [] : [besides(_stop.Token)];
        try
        {
            while (true)
            {
                served.Add(ServeAsync(await _listener.AcceptTcpClientAsync(_stop.Token)));
            }
        }
        finally
        {
            await Task.WhenAll(served);
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
                await ServeAsync(stream, _stop.Token);
            }
            catch (Exception exception) when (exception is IOException or OperationCanceledException or AuthenticationException)
            {
                // A client has left, or the test has ended.
                return;
            }
        }
    }
}
