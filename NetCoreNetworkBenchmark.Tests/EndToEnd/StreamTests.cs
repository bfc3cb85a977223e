using System.Text.Json;
using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Tests.Certificates;
using NetCoreNetworkBenchmark.Tests.Libraries;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The real program over TCP and SSL, with every library that offers them.</summary>
public sealed class StreamTests : IDisposable
{
    private const string Load = "-p 0 -c 4 -m 3 --warmup 0.1 -d 0.2 --any-machine --json";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-");

    public static IEnumerable<TheoryDataRow<string, Protocol>> Streams() =>
        LibraryUnderTest.Transports().Where(row => row.Data.Item2.IsStream());

    public static IEnumerable<TheoryDataRow<string, Protocol>> OverTls() => Streams().Where(row => row.Data.Item2 == Protocol.Ssl);

    [Theory]
    [MemberData(nameof(Streams))]
    public async Task A_run_is_valid_in_two_processes(string library, Protocol protocol)
    {
        RequireOffered(library, protocol);
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-l {library} -P {protocol} {Load} --launches 1");
        Assert.True(code == 0, errors);
        RunResult run = ((SuiteResult)ResultFile.Parse(output)).Benchmarks[0].Cases[0].Launches[0].Result!;
        Assert.Equal((protocol.ToString(), "Reliable", "Fixed"), (run.Protocol, run.Transmission, run.Framing));
        AssertTls(run, protocol, "Rsa2048");
    }

    [Theory]
    [MemberData(nameof(Streams))]
    public async Task Every_librarys_clients_drive_it(string library, Protocol protocol)
    {
        RequireOffered(library, protocol);
        foreach (LibraryInfo clients in ClientLibraries.Over(protocol, LibraryUnderTest.Catalog.Infos))
        {
            (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-l {library} -P {protocol} --framing length --client-library {clients.Name} {Load}");
            Assert.True(code == 0, $"{clients.Name}: {errors}");
            RunResult run = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
            Assert.Equal((library, clients.Name, "Length"), (run.Library, run.ClientLibrary, run.Framing));
        }
    }

    [Theory]
    [MemberData(nameof(Streams))]
    public async Task Server_and_clients_by_hand_find_each_other(string library, Protocol protocol)
    {
        RequireOffered(library, protocol);
        string tls = protocol == Protocol.Ssl ? " --mutual-tls --key p256" : string.Empty;
        using BenchmarkProcess server = BenchmarkProcess.Start($"--role Server -p 0 -l {library} -P {protocol} -c 4 --json{tls}".Split(' '));
        string line = await server.SaysAsync(" server at 127.0.0.1:");
        string port = line.Split("127.0.0.1:")[1].Split(';')[0];
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"--role Client -l {library} -P {protocol} -p {port} -c 4 -m 3 --warmup 0.1 -d 0.2 --any-machine --json{tls}");
        Assert.True(code == 0, errors);
        RunResult run = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.Equal((ServerKind.Own, 0), (run.Server, run.Errors));
        AssertTls(run, protocol, "P256");
        await server.InterruptAsync();
        (code, output, errors) = await server.EndAsync();
        Assert.True(code == 0, errors);
        Assert.Empty(JsonSerializer.Deserialize(output, ResultJson.Readable.ServerResult)!.ErrorsByName);
    }

    [Theory]
    [MemberData(nameof(OverTls))]
    public async Task Certificates_that_were_written_can_be_used(string library, Protocol protocol)
    {
        RequireOffered(library, protocol);
        string folder = _folder.FullName;
        Assert.Equal(0, (await BenchmarkProcess.RunAsync("certificates", folder, "--key", "p384")).ExitCode);
        string own = $"--certificate {folder}/server.crt --certificate-key {folder}/server.key";
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-l {library} -P Ssl {own} --tls 1.3 {Load}");
        Assert.True(code == 0, errors);
        AssertTls(JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!, protocol, "P384");
        Assert.DoesNotContain("PRIVATE", output + errors, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(OverTls))]
    public async Task A_server_whose_certificate_is_for_another_name_or_of_another_authority_is_refused(string library, Protocol protocol)
    {
        RequireOffered(library, protocol);
        string folder = _folder.FullName;
        Assert.Equal(0, (await BenchmarkProcess.RunAsync("certificates", folder, "--key", "p256")).ExitCode);
        string own = $"--certificate {folder}/server.crt --certificate-key {folder}/server.key";
        foreach ((string options, string reason) in ((string, string)[])[($"{own} --server-name example.org", "is for another name than 'example.org'"), ($"--authority {folder}/ca.crt", "is not signed by an authority that is trusted")])
        {
            (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-l {library} -P Ssl {options} {Load}");
            Assert.Equal((1, string.Empty), (code, output));
            Assert.Contains(reason, Assert.Single(BenchmarkProcess.WithoutWarnings(errors)), StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Streams))]
    public async Task A_server_that_is_not_ours_is_measured_as_a_plain_echo(string library, Protocol protocol)
    {
        RequireOffered(library, protocol);
        string folder = _folder.FullName;
        CertificateFolder.Write(folder, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);
        await using var echo = new StreamEcho(protocol == Protocol.Ssl ? Path.Combine(folder, "server.pfx") : null, "x");
        (int code, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"--role Client -l {library} -P {protocol}{(protocol == Protocol.Ssl ? $" --authority {folder}/ca.crt" : string.Empty)} -p {echo.Port} -c 4 -m 3 --warmup 0.1 -d 0.2 --any-machine --json");
        Assert.True(code == 0, errors);
        RunResult run = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.Equal((ServerKind.PlainEcho, 0, null, null), (run.Server, run.Errors, run.Tls?.Key, run.Tls?.Server));
        Assert.InRange(run.Messages.ClientReceived, 1, long.MaxValue);
    }

    [Theory]
    [MemberData(nameof(OverTls))]
    public async Task OpenSSL_verifies_a_server_with_the_certificate_that_was_written(string library, Protocol protocol)
    {
        RequireOffered(library, protocol);
        string folder = _folder.FullName;
        CertificateFolder.Write(folder, CertificateMaker.MakeSet(TlsKey.Rsa2048, []), "x", replace: false);
        using BenchmarkProcess server = BenchmarkProcess.Start($"--role Server -p 0 -l {library} -P Ssl -c 4 --certificate {folder}/server.crt --certificate-key {folder}/server.key".Split(' '));
        string port = (await server.SaysAsync(" server at 127.0.0.1:")).Split("127.0.0.1:")[1].Split(';')[0];
        (int code, string said) = await OpenSsl.RunAsync("s_client", "-connect", $"127.0.0.1:{port}", "-CAfile", $"{folder}/ca.crt", "-verify_return_error", "-verify_ip", "127.0.0.1");
        Assert.True(code == 0, said);
        Assert.Contains("Verify return code: 0 (ok)", said, StringComparison.Ordinal);
        await server.InterruptAsync();
        (code, _, string errors) = await server.EndAsync();
        Assert.True(code == 0, errors);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static void RequireOffered(string library, Protocol protocol)
    {
        INetworkBenchmark found = LibraryUnderTest.Create(library);
        Assert.SkipUnless(found.Info.Protocols.Contains(protocol), $"{library} is not offered over {protocol}.");
        Assert.SkipUnless(
            found.Info.HasClients || ClientLibraries.FastestOver(protocol, LibraryUnderTest.Catalog.Infos) is not null, $"No library of this build has clients over {protocol}.");
    }

    private static void AssertTls(RunResult run, Protocol protocol, string key)
    {
        if (protocol != Protocol.Ssl)
        {
            Assert.Null(run.Tls);
            return;
        }

        Assert.Equal((key, run.Clients), (run.Tls!.Key, (int)run.Tls.Clients.Sum(agreed => agreed.Count)));
        Assert.All(run.Tls.Clients, agreed => Assert.Contains(agreed.Version, (string[])["1.2", "1.3"]));
        Assert.All(run.Tls.Clients, agreed => Assert.StartsWith("TLS_", agreed.Cipher, StringComparison.Ordinal));
        Assert.Equal(OperatingSystem.IsLinux(), run.Tls.OpenSslVersion is not null);
    }
}
