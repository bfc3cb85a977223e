using NetCoreNetworkBenchmark.Tests.Certificates;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

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
