using NetCoreNetworkBenchmark.Tests.Running;

namespace NetCoreNetworkBenchmark.Tests.Certificates;

public sealed class SuppliedCertificateTests : ProgramInFolder
{
    private const string NoKey = "--certificate-key: 'KEY' has no readable private key. Use a PEM file with an RSA or ECDSA key.";
    private static readonly string[] s_run = ["-l", "Fast", "-P", "Ssl", "-p", "0", "-c", "2"];

    private string Certificate => PathOf("server.crt");
    private string Key => PathOf("server.key");

    [Theory]
    [InlineData("genrsa", "-traditional", "2048")]
    [InlineData("ecparam", "-name", "prime256v1", "-genkey")]
    [InlineData("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521")]
    public async Task A_certificate_that_is_signed_by_itself_and_a_key_in_any_form_can_be_used(params string[] arguments)
    {
        (int code, string key) = await OpenSsl.RunAsync(arguments);
        Assert.True(code == 0, key);
        await File.WriteAllTextAsync(Key, key, TestContext.Current.CancellationToken);
        (code, string said) = await OpenSsl.RunAsync("req", "-x509", "-key", Key, "-out", Certificate, "-subj", "/CN=localhost", "-days", "2");
        Assert.True(code == 0, said);
        TlsCredentials credentials = SuppliedCertificate.Read(Certificate, Key);
        credentials.ServerKey.AssertBegins("-----BEGIN PRIVATE KEY-----");
        Assert.Equal(credentials.Authority, credentials.ServerCertificate);
        Assert.Equal(
            arguments[0] == "genrsa" ? "Rsa2048" : arguments[0] == "ecparam" ? "P256" : "P521", SuppliedCertificate.KindOf(credentials.ServerCertificate!));
    }

    [Theory]
    [InlineData("crt", null, "--certificate: 'CRT' does not exist. Use ")]
    [InlineData("crt", "nothing", "--certificate: 'CRT' has no certificate. Use a PEM file with a certificate.")]
    [InlineData("crt", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "--certificate: 'CRT' has a certificate that cannot be read (")]
    [InlineData("key", null, "--certificate-key: 'KEY' does not exist. Use ")]
    [InlineData("key", "nothing", NoKey)]
    [InlineData("key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", NoKey)]
    [InlineData(
        "key", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
        "--certificate-key: the key in 'KEY' is encrypted. Decrypt it with this command: openssl pkey -in QUOTED")]
    public async Task A_file_that_is_missing_or_of_no_use_is_named(string file, string? content, string sentence)
    {
        Write(CertificateMaker.Make(TlsKey.P256, []));
        string path = file == "crt" ? Certificate : Key;
        File.Delete(path);
        if (content is not null)
        {
            await File.WriteAllTextAsync(path, content, TestContext.Current.CancellationToken);
        }

        await RefusesAsync(sentence.Replace("CRT", Certificate, StringComparison.Ordinal).Replace("'KEY'", $"'{Key}'", StringComparison.Ordinal)
            .Replace("QUOTED", ShellCommand.Quote(Key), StringComparison.Ordinal));
    }

    [Fact]
    public async Task An_expired_certificate_is_refused()
    {
        Write(CertificateMaker.Make(TlsKey.P256, [], new DateTimeOffset(2020, 2, 3, 4, 5, 6, TimeSpan.Zero)));
        await RefusesAsync($"--certificate: the certificate in '{Certificate}' expired on 2020-02-03 04:05:06 UTC. Use a current one.");
    }

    [Theory, InlineData("-----END", "----END"), InlineData("-----BEGIN", "----BEGIN"), InlineData("MII", "M!I"), InlineData("-----END CERTIFICATE-----", "")]
    public async Task A_damaged_certificate_in_a_chain_is_named(string whole, string damaged)
    {
        TlsCredentials credentials = CertificateMaker.Make(TlsKey.P256, []);
        Write(credentials);
        await File.AppendAllTextAsync(
            Certificate, $"\n{credentials.Authority.Replace(whole, damaged, StringComparison.Ordinal)}\n", TestContext.Current.CancellationToken);
        await RefusesAsync($"--certificate: '{Certificate}' has a damaged certificate. Use a PEM file with whole certificates.");
    }

    [Fact]
    public void A_file_may_hold_more_than_certificates()
    {
        TlsCredentials credentials = CertificateMaker.Make(TlsKey.P256, []);
        File.WriteAllText(Certificate, $"# a comment on the certificate\n{credentials.ServerCertificate}\n{credentials.ServerKey}\n{credentials.Authority}\n");
        File.WriteAllText(Key, credentials.ServerKey);
        Assert.Equal(credentials.ServerCertificate, SuppliedCertificate.Read(Certificate, Key).ServerCertificate);
    }

    [Theory, InlineData(TlsKey.P256), InlineData(TlsKey.P384), InlineData(TlsKey.Rsa2048)]
    public async Task A_key_of_another_certificate_is_refused(TlsKey kind)
    {
        Write(CertificateMaker.Make(TlsKey.P256, []) with { ServerKey = CertificateMaker.Make(kind, []).ServerKey });
        await RefusesAsync($"--certificate-key: the key in '{Key}' does not belong to the certificate in '{Certificate}'. Use the key of this certificate.");
    }

    [Fact]
    public Task An_authority_that_cannot_be_read_is_named() => AssertRefusedAsync(
        FakeStreams.Catalog, $"Error: --authority: '{PathOf("none")}' does not exist. Use ", [.. s_run, "--authority", PathOf("none")]);

    [Fact]
    public async Task Run_uses_the_certificate_that_is_passed_and_names_its_files_in_the_command()
    {
        Write(CertificateMaker.Make(TlsKey.P384, []));
        (int code, string output, string errors) = await RunAsync(
            FakeStreams.Catalog, [.. s_run, "--certificate", Certificate, "--certificate-key", Key, "--json", "-d", "0.2", "--warmup", "0.1", "--any-machine"]);
        Assert.True(code == 0, errors);
        RunResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.Equal("P384", result.Tls!.Key);
        result.Command.AssertHas($" --certificate {Certificate} --certificate-key {Key} ");
        (output + errors).AssertHasNo("PRIVATE");
    }

    [Theory]
    [InlineData("leaf between", null, "--certificate", "root", "between", ", or pass it with --authority")]
    [InlineData("leaf", null, "--certificate", "between", "leaf", ", or pass it with --authority")]
    [InlineData("leaf", "root", "--certificate", "between", "leaf", ", or pass it with --authority")]
    [InlineData("leaf between", "between", "--authority", "root", "between", "")]
    public async Task A_certificate_that_is_missing_in_a_chain_is_named_before_the_run(
        string chain, string? authority, string option, string missing, string last, string remedy)
    {
        string file = WriteChain(chain, authority);
        await AssertRefusedAsync(
            FakeStreams.Catalog,
            $"Error: {option}: '{(option == "--authority" ? Authority : file)}' lacks the certificate of 'CN={missing}', which signed 'CN={last}'. " +
                $"Append it to the file{remedy}.",
            [.. s_run, "--certificate", file, "--certificate-key", Key, .. authority is null ? [] : (string[])["--authority", Authority]]);
    }

    [Fact]
    public async Task A_chain_that_ends_with_another_root_is_refused_before_the_run()
    {
        string file = WriteChain("leaf between root", authority: null);
        await File.WriteAllTextAsync(Authority, CertificateMaker.MakeSet(TlsKey.P256, []).Authority.Certificate, TestContext.Current.CancellationToken);
        await AssertRefusedAsync(
            FakeStreams.Catalog, $"Error: --authority: the certificate in '{file}' was signed by 'CN=root', not by 'CN=NetCoreNetworkBenchmark authority ",
            [.. s_run, "--certificate", file, "--certificate-key", Key, "--authority", Authority]);
    }

    [Fact]
    public void Server_may_have_a_chain_without_its_root_when_it_verifies_no_client()
    {
        string file = WriteChain("leaf between", authority: null);
        RunCredentials.Check(new TlsPlan { CertificateFile = file, CertificateKeyFile = Key }, isVerifiedHere: false);
    }

    private string Authority => PathOf("authority.crt");

    private string WriteChain(string chain, string? authority)
    {
        using var three = new ChainOfThree();
        string Named(string name) => name switch { "root" => three.Root, "between" => three.Between, _ => three.Leaf };
        File.WriteAllText(Certificate, string.Join('\n', chain.Split(' ').Select(Named)));
        File.WriteAllText(Key, three.Key);
        File.WriteAllText(Authority, authority is null ? string.Empty : Named(authority));
        return Certificate;
    }

    private void Write(TlsCredentials credentials)
    {
        File.WriteAllText(Certificate, $"{credentials.ServerCertificate}\n{credentials.Authority}");
        File.WriteAllText(Key, credentials.ServerKey);
    }

    private async Task RefusesAsync(string sentence)
    {
        Assert.Throws<BenchmarkException>(() => SuppliedCertificate.Read(Certificate, Key)).Message.AssertBegins(sentence);
        await AssertRefusedAsync(FakeStreams.Catalog, $"Error: {sentence}", [.. s_run, "--certificate", Certificate, "--certificate-key", Key]);
    }
}

/// <summary>A root, a certificate between, and one of a server, each signed by the one before, as public authorities hand them out.</summary>
internal sealed class ChainOfThree : IDisposable
{
    private static readonly DateTimeOffset s_begin = DateTimeOffset.UtcNow.AddMinutes(-5);
    private static readonly DateTimeOffset s_end = DateTimeOffset.UtcNow.AddDays(1);

    private readonly ECDsa _rootKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly ECDsa _betweenKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly ECDsa _leafKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);

    public ChainOfThree()
    {
        using X509Certificate2 root = RequestFor("root", _rootKey, isAuthority: true).CreateSelfSigned(s_begin, s_end);
        using X509Certificate2 between = RequestFor("between", _betweenKey, isAuthority: true).Create(root, s_begin, s_end, [1]);
        using X509Certificate2 signing = between.CopyWithPrivateKey(_betweenKey);
        CertificateRequest request = RequestFor("leaf", _leafKey, isAuthority: false);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(System.Net.IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        using X509Certificate2 leaf = request.Create(signing, s_begin, s_end, [2]);
        (Root, Between, Leaf) = (root.ExportCertificatePem(), between.ExportCertificatePem(), leaf.ExportCertificatePem());
    }

    public string Root { get; }
    public string Between { get; }
    public string Leaf { get; }
    public string Key => _leafKey.ExportPkcs8PrivateKeyPem();

    /// <summary>The certificate of the server with the one between, and the root that clients trust.</summary>
    public TlsCredentials Credentials => new() { Authority = Root, ServerCertificate = $"{Leaf}\n{Between}", ServerKey = Key };

    public void Dispose()
    {
        _rootKey.Dispose();
        _betweenKey.Dispose();
        _leafKey.Dispose();
    }

    private static CertificateRequest RequestFor(string name, ECDsa key, bool isAuthority)
    {
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(isAuthority, hasPathLengthConstraint: false, 0, critical: true));
        return request;
    }
}

/// <summary>The program <c>openssl</c>, if it is installed on this machine.</summary>
internal static class OpenSsl
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(20);

    /// <summary>Starts the program; skips the test if it is not installed.</summary>
    public static Process Start(params string[] arguments)
    {
        try
        {
            return Process.Start(
                new ProcessStartInfo("openssl", arguments) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true })!;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.Skip("This machine has no openssl.");
            throw;
        }
    }

    /// <summary>Waits until a server of OpenSSL prints the end point that it listens at.</summary>
    public static async Task<string> AcceptingAsync(Process server)
    {
        const string Start = "ACCEPT ";
        while (await server.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(s_deadline) is { } line)
        {
            if (line.StartsWith(Start, StringComparison.Ordinal))
            {
                return line[Start.Length..];
            }
        }

        throw new InvalidOperationException(await server.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken));
    }

    public static Task<(int ExitCode, string Said)> RunAsync(params string[] arguments) => AskAsync(string.Empty, arguments);

    /// <summary>Runs the program to its end with a text on its standard input.</summary>
    public static async Task<(int ExitCode, string Said)> AskAsync(string input, params string[] arguments)
    {
        using Process process = Start(arguments);
        await process.StandardInput.WriteAsync(input);
        process.StandardInput.Close();
        Task<string> output = process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        Task<string> errors = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        return (process.ExitCode, await output + await errors);
    }
}
