using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>For other tools: .crt, .key and .pem (RFC 7468), .pfx (PKCS #12, RFC 7292). Each .crt also has the authority, so that it is enough.</summary>
public static class CertificateFolder
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const string Authority = "ca";
    private const string PublicExtension = ".crt";
    private const string Server = "server";
    private const string Client = "client";
    private static readonly string[] s_names =
        [.. from name in (string[])[Authority, Client, Server] from kind in (string[])["crt", "key", "pem", "pfx"] select $"{name}.{kind}"];

    public static void RequireNew(string folder, bool replace)
    {
        if (!replace && s_names.FirstOrDefault(name => Path.Exists(Path.Combine(folder, name))) is { } existing)
        {
            throw BenchmarkException.BadInput($"The folder '{folder}' already has '{existing}'. Use another folder, or --force to replace the files.");
        }
    }

    // A file of the old set never exists beside a file of the new set: the new files are complete and flushed in a subfolder before the old ones are moved to
    // another subfolder. The old ones are restored if an operation fails. Keys are readable only by their owner from the moment they exist.
    public static IReadOnlyList<string> Write(string folder, CertificateSet set, string password, bool replace)
    {
        string suffix = $".{Guid.NewGuid():N}";
        string prepared = Path.Combine(folder, $"{suffix}.new");
        string replaced = Path.Combine(folder, $"{suffix}.old");
        try
        {
            Directory.CreateDirectory(folder);
            RequireNew(folder, replace);
            MakePrivate(prepared);
            foreach ((string name, byte[] content) in FilesOf(set, password))
            {
                WriteNew(Path.Combine(prepared, name), content);
            }

            Exchange(folder, prepared, replaced, replace);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw BenchmarkException.BadInput(
                $"The folder '{folder}' cannot be written to ({FileError.ReasonOf(exception)}). Use another folder.", exception);
        }
        finally
        {
            Remove(prepared);
        }

        return s_names;
    }

    // All old files are moved away before the first new one is moved in, so that even the end of the process does not mix the two sets.
    private static void Exchange(string folder, string prepared, string replaced, bool replace)
    {
        MakePrivate(replaced);
        string[] old = replace ? [.. s_names.Where(name => File.Exists(Path.Combine(folder, name)))] : [];
        var moved = new Stack<(string From, string To)>();
        try
        {
            foreach ((string name, string from, string to) in old
                .Select(name => (name, folder, replaced))
                .Concat(s_names.Select(name => (name, prepared, folder))))
            {
                File.Move(Path.Combine(from, name), Path.Combine(to, name));
                moved.Push((Path.Combine(from, name), Path.Combine(to, name)));
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            while (moved.TryPop(out (string From, string To) move))
            {
                File.Move(move.To, move.From);
            }

            Directory.Delete(replaced);
            throw;
        }

        Remove(replaced);
    }

    private static void MakePrivate(string folder)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(folder);
        }
        else
        {
            Directory.CreateDirectory(folder, OwnerOnly | UnixFileMode.UserExecute);
        }
    }

    private static void Remove(string folder)
    {
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static IEnumerable<(string Name, byte[] Content)> FilesOf(CertificateSet set, string password)
    {
        foreach ((string name, IssuedCertificate issued, bool isAuthority) in
            ((string, IssuedCertificate, bool)[])[(Authority, set.Authority, true), (Server, set.Server, false), (Client, set.Client, false)])
        {
            string chain = isAuthority ? Line(issued.Certificate) : Line(issued.Certificate) + Line(set.Authority.Certificate);
            yield return ($"{name}{PublicExtension}", Encoding.ASCII.GetBytes(chain));
            yield return ($"{name}.key", Encoding.ASCII.GetBytes(Line(issued.Key)));
            yield return ($"{name}.pem", Encoding.ASCII.GetBytes(Line(issued.Key) + chain));
            yield return ($"{name}.pfx", Pfx(issued, isAuthority ? null : set.Authority, password));
        }
    }

    private static string Line(string pem) => pem + "\n";

    private static byte[] Pfx(IssuedCertificate issued, IssuedCertificate? authority, string password)
    {
        using var certificate = X509Certificate2.CreateFromPem(issued.Certificate, issued.Key);
        using X509Certificate2? signer = authority is null ? null : X509Certificate2.CreateFromPem(authority.Certificate);
        X509Certificate2Collection all = signer is null ? [certificate] : [certificate, signer];
        return all.ExportPkcs12(new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, iterationCount: 100_000), password);
    }

    private static void WriteNew(string path, byte[] content)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows() && !path.EndsWith(PublicExtension, StringComparison.Ordinal))
        {
            options.UnixCreateMode = OwnerOnly;
        }

        using var stream = new FileStream(path, options);
        stream.Write(content);
        stream.Flush(flushToDisk: true);
    }
}
