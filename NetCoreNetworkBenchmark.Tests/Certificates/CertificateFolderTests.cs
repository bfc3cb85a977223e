namespace NetCoreNetworkBenchmark.Tests.Certificates;

public sealed class CertificateFolderTests(WrittenCertificates set) : ProgramInFolder, IClassFixture<WrittenCertificates>
{
    private static readonly string[] s_files =
        [.. from name in (string[])["ca", "client", "server"] from form in (string[])["crt", "key", "pem", "pfx"] select $"{name}.{form}"];

    // The first, one in the middle and the last of them.
    private static readonly string[] s_ofPlain = ["ca.crt", "client.pem", "server.pfx"];

    public static IEnumerable<TheoryDataRow<string>> Names() =>
        from file in s_files
        select s_ofPlain.Contains(file) ? new TheoryDataRow<string>(file) : new TheoryDataRow<string>(file) { Traits = { ["Category"] = ["Long"] } };

    private string Target => PathOf("new", "folder");

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task The_command_makes_the_folder_and_prints_what_it_wrote()
    {
        (int code, string output, string errors) = await RunAsync("certificates", Target, "--key", "p256");
        Assert.Equal((0, string.Empty), (code, errors));
        Assert.Equal(s_files.Select(file => Path.Combine(Target, file)), output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Equal(s_files, FilesIn(Target));
    }

    [Fact, Trait("Category", "Long")]
    public async Task Keys_are_RSA_4096_and_there_is_no_password_by_default()
    {
        await RunAsync("certificates", Target);
        using X509Certificate2 server = X509CertificateLoader.LoadPkcs12FromFile(Path.Combine(Target, "server.pfx"), string.Empty);
        Assert.Equal((4096, true), (server.GetRSAPublicKey()!.KeySize, server.HasPrivateKey));
        Assert.InRange(server.NotAfter, DateTime.Now.AddDays(364), DateTime.Now.AddDays(366));
    }

    [Theory]
    [InlineData("my secret", null, "my secret")]
    [InlineData(null, "of the variable", "of the variable")]
    [InlineData("my secret", "of the variable", "my secret")]
    [InlineData(null, null, "")]
    public async Task The_password_is_that_of_a_file_or_of_the_environment(string? ofFile, string? variable, string password)
    {
        string[] option = ofFile is null ? [] : ["--password-file", PathOf("password")];
        await File.WriteAllTextAsync(PathOf("password"), $"{ofFile}\n", Token);
        Dictionary<string, string?> environment = variable is null ? [] : new() { ["NETBENCH_PASSWORD"] = variable };
        (int code, _, string errors) = await BenchmarkProcess.RunWithAsync(environment, ["certificates", Target, "--key", "p256", .. option]);
        Assert.Equal((0, string.Empty), (code, errors));
        using X509Certificate2 server = X509CertificateLoader.LoadPkcs12FromFile(In("server.pfx"), password);
        Assert.True(server.HasPrivateKey);
        Assert.ThrowsAny<CryptographicException>(() => X509CertificateLoader.LoadPkcs12FromFile(In("server.pfx"), "qwerty"));
    }

    [Theory, InlineData(TlsKey.Rsa2048), InlineData(TlsKey.P256), InlineData(TlsKey.P384)]
    public void Each_form_of_a_certificate_has_its_key_and_the_authority_with_it(TlsKey key)
    {
        Write(key, "a password");
        foreach (string name in (string[])["ca", "client", "server"])
        {
            using var pem = X509Certificate2.CreateFromPemFile(In($"{name}.crt"), In($"{name}.key"));
            X509Certificate2Collection pfx = X509CertificateLoader.LoadPkcs12CollectionFromFile(In($"{name}.pfx"), "a password");
            Assert.Equal(pem.Thumbprint, Assert.Single(pfx, certificate => certificate.HasPrivateKey).Thumbprint);
            Assert.Equal(name == "ca" ? 1 : 2, pfx.Count);
            string both = File.ReadAllText(In($"{name}.key")) + File.ReadAllText(In($"{name}.crt"));
            Assert.Equal(both, File.ReadAllText(In($"{name}.pem")));
            Assert.Equal(key.ToString(), SuppliedCertificate.KindOf(pem.ExportCertificatePem()));
        }
    }

    [Fact]
    public void Keys_can_be_read_by_their_owner_alone()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has no such modes.");
            return;
        }

        Write(TlsKey.P256, "qwerty");
        AssertOwnerOnly(s_files);
    }

    [Fact]
    public async Task Write_refuses_existing_files_unless_they_may_be_replaced()
    {
        Directory.CreateDirectory(Target);
        await File.WriteAllTextAsync(In("client.key"), "mine", Token);
        await AssertRefusedAsync(
            $"Error: The folder '{Target}' already has 'client.key'. Use another folder, or --force to replace the files.", "certificates", Target);
        Assert.Equal(["client.key"], FilesIn(Target));
        (int code, _, _) = await RunAsync("certificates", Target, "--key", "p256", "--force");
        Assert.Equal(0, code);
        Assert.Equal(s_files, FilesIn(Target));
        Assert.NotEqual("mine", await File.ReadAllTextAsync(In("client.key"), Token));
    }

    [Theory, MemberData(nameof(Names))]
    public async Task A_file_that_cannot_be_replaced_leaves_the_whole_old_set(string broken)
    {
        set.CopyTo(Target);
        File.Delete(In(broken));

        // A folder of that name prevents the file from being written, even by root.
        Directory.CreateDirectory(In(broken));
        await File.WriteAllTextAsync(Path.Combine(In(broken), "foreign"), "mine", Token);
        SortedDictionary<string, string> before = Contents();
        await AssertRefusedAsync($"Error: The folder '{Target}' cannot be written to (", "certificates", Target, "--key", "p256", "--force");
        Assert.Equal(before, Contents());
        AssertOwnerOnly(s_files.Where(file => file != broken));
    }

    [Fact]
    public async Task Replacing_the_set_keeps_files_of_others()
    {
        set.CopyTo(Target);
        string old = await File.ReadAllTextAsync(In("server.key"), Token);
        Directory.CreateDirectory(In("below"));
        string[] others = [In("notes.txt"), In(".hidden"), Path.Combine(In("below"), "server.key")];
        Array.ForEach(others, file => File.WriteAllText(file, "mine"));
        (int code, _, string errors) = await RunAsync("certificates", Target, "--key", "p256", "--force");
        Assert.Equal((0, string.Empty), (code, errors));
        Assert.Equal([.. s_files.Concat([".hidden", "below/server.key", "notes.txt"]).Order(StringComparer.Ordinal)], Contents().Keys);
        Assert.All(others, file => Assert.Equal("mine", File.ReadAllText(file)));
        Assert.NotEqual(old, await File.ReadAllTextAsync(In("server.key"), Token));
        using var pair = X509Certificate2.CreateFromPemFile(In("server.crt"), In("server.key"));
        Assert.True(pair.HasPrivateKey);
        AssertOwnerOnly(s_files);
    }

    [Fact]
    public async Task A_folder_that_cannot_be_made_is_refused()
    {
        await File.WriteAllTextAsync(PathOf("file"), string.Empty, Token);
        string folder = PathOf("file", "folder");
        await AssertRefusedAsync($"Error: The folder '{folder}' cannot be written to (", "certificates", folder, "--key", "p256");
    }

    [Theory, InlineData("server.crt", "sslserver"), InlineData("client.crt", "sslclient")]
    public async Task OpenSSL_verifies_them_against_the_authority(string certificate, string purpose)
    {
        set.CopyTo(Target);
        (int code, string said) = await OpenSsl.RunAsync("verify", "-x509_strict", "-purpose", purpose, "-CAfile", In("ca.crt"), In(certificate));
        Assert.True(code == 0, said);
    }

    [Fact]
    public async Task OpenSSL_does_not_verify_them_against_another_authority()
    {
        set.CopyTo(Target);
        string other = PathOf("other.crt");
        await File.WriteAllTextAsync(other, CertificateMaker.MakeSet(TlsKey.P256, []).Authority.Certificate, Token);
        (int code, _) = await OpenSsl.RunAsync("verify", "-CAfile", other, In("server.crt"));
        Assert.NotEqual(0, code);
    }

    [Theory, InlineData("server.pfx", "qwerty", 0), InlineData("server.pfx", "other", 1)]
    public async Task OpenSSL_opens_a_PFX_with_its_password(string file, string password, int expected)
    {
        set.CopyTo(Target);
        (int code, string said) = await OpenSsl.RunAsync("pkcs12", "-in", In(file), "-passin", $"pass:{password}", "-noout");
        Assert.True(code == expected, said);
    }

    [Theory, InlineData("crt", "key"), InlineData("pem", "pem")]
    public async Task A_server_and_a_client_of_OpenSSL_agree_with_both_certificates(string form, string keyForm)
    {
        set.CopyTo(Target);
        using Process server = OpenSsl.Start(
            "s_server", "-accept", "127.0.0.1:0", "-cert", In($"server.{form}"), "-key", In($"server.{keyForm}"), "-CAfile", In("ca.crt"),
            "-Verify", "2", "-verify_return_error");
        try
        {
            string endPoint = await OpenSsl.AcceptingAsync(server);
            (int code, string said) = await OpenSsl.RunAsync(
                "s_client", "-connect", endPoint, "-CAfile", In("ca.crt"), "-verify_return_error", "-verify_ip", "127.0.0.1",
                "-cert", In($"client.{form}"), "-key", In($"client.{keyForm}"));
            Assert.True(code == 0, said);
            said.AssertHas("Verify return code: 0 (ok)");
        }
        finally
        {
            server.Kill();
            await server.WaitForExitAsync(Token);
        }
    }

    private string In(string name) => Path.Combine(Target, name);

    private void Write(TlsKey key, string password) => CertificateFolder.Write(Target, CertificateMaker.MakeSet(key, []), password, replace: false);

    // Every file below the folder with its content.
    private SortedDictionary<string, string> Contents() => new(
        Directory.EnumerateFiles(Target, "*", SearchOption.AllDirectories)
            .ToDictionary(file => Path.GetRelativePath(Target, file), file => Convert.ToBase64String(File.ReadAllBytes(file))),
        StringComparer.Ordinal);

    private void AssertOwnerOnly(IEnumerable<string> files)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        foreach (string file in files.Where(file => !file.EndsWith(".crt", StringComparison.Ordinal)))
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(In(file)));
        }
    }
}

/// <summary>A set of P-256 that is made once, with the password <c>qwerty</c>. The key of a password takes most of the time of a set.</summary>
public sealed class WrittenCertificates : InTemporaryFolder
{
    public WrittenCertificates() => CertificateFolder.Write(Folder.FullName, CertificateMaker.MakeSet(TlsKey.P256, []), "qwerty", replace: false);

    public void CopyTo(string folder)
    {
        Directory.CreateDirectory(folder);
        foreach (FileInfo file in Folder.EnumerateFiles())
        {
            file.CopyTo(Path.Combine(folder, file.Name));
        }
    }
}
