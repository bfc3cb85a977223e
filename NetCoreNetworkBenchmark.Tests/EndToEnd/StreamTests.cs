using NetCoreNetworkBenchmark.Tests.Cli;

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
