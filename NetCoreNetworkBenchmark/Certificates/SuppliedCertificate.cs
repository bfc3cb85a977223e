using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>Reads the PEM files (RFC 7468) of certificates that the user supplies.</summary>
public static class SuppliedCertificate
{
    // The end of the line before a certificate and of the line after it, independent of the rest of the label.
    private const string Mark = "CERTIFICATE-----";

    private static readonly TimeSpan s_tolerance = TimeSpan.FromMinutes(1);

    // The authority is the last certificate of the file.
    public static TlsCredentials Read(string certificateFile, string keyFile) => Read(StreamOptions.CertificateName, certificateFile, chain =>
    {
        X509Certificate2 own = chain[0];
        RequireValid(own, certificateFile);
        string key = KeyOf(own, certificateFile, keyFile);
        X509Certificate2 authority = chain[^1];

        // A root is of no use on the wire: the verifier already has it, or does not trust it.
        bool hasRoot = chain.Count > 1 && IsRoot(authority);
        IEnumerable<X509Certificate2> sent = hasRoot ? chain.SkipLast(1) : chain;
        return new TlsCredentials
        {
            Authority = authority.ExportCertificatePem(),
            ServerCertificate = string.Join('\n', sent.Select(certificate => certificate.ExportCertificatePem())),
            ServerKey = key,
        };
    });

    // The last certificate in the file is used.
    public static string ReadAuthority(string file) => Read(
        StreamOptions.AuthorityName,
        file,
        certificates => IsRoot(certificates[^1])
            ? certificates[^1].ExportCertificatePem()
            : throw Missing(StreamOptions.AuthorityName, file, certificates[^1], "Append it to the file"));

    public static bool IsRoot(string pem)
    {
        using var certificate = X509Certificate2.CreateFromPem(pem);
        return IsRoot(certificate);
    }

    // A chain must lead from the certificate to the authority that the other side trusts.
    public static void RequireChain(string file, TlsCredentials own, string trusted)
    {
        using var chain = new X509Chain();
        chain.ChainPolicy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        };
        chain.ChainPolicy.CustomTrustStore.ImportFromPem(trusted);
        chain.ChainPolicy.ExtraStore.ImportFromPem($"{own.ServerCertificate}\n{own.Authority}");
        _ = chain.Build(chain.ChainPolicy.ExtraStore[0]);
        X509Certificate2 last = chain.ChainElements[^1].Certificate;
        if (!IsRoot(last))
        {
            throw Missing(StreamOptions.CertificateName, file, last, $"Append it to the file, or pass it with {StreamOptions.AuthorityName}");
        }

        if (!last.RawDataMemory.Span.SequenceEqual(chain.ChainPolicy.CustomTrustStore[0].RawDataMemory.Span))
        {
            throw OptionValues.Rejected(
                StreamOptions.AuthorityName,
                $"the certificate in '{file}' was signed by '{last.Subject}', not by '{chain.ChainPolicy.CustomTrustStore[0].Subject}'. " +
                    $"Use the certificate of '{last.Subject}'.");
        }
    }

    // Kinds that can be created have the names of TlsKey, others that of the algorithm.
    public static string KindOf(string certificate)
    {
        using var parsed = X509Certificate2.CreateFromPem(certificate);
        using RSA? rsa = parsed.GetRSAPublicKey();
        using ECDsa? ecdsa = parsed.GetECDsaPublicKey();
        return rsa is not null ? FormattableString.Invariant($"Rsa{rsa.KeySize}")
            : ecdsa is not null ? FormattableString.Invariant($"P{ecdsa.KeySize}")
            : parsed.PublicKey.Oid.FriendlyName ?? parsed.GetKeyAlgorithm();
    }

    private static bool IsRoot(X509Certificate2 certificate) => certificate.SubjectName.RawData.AsSpan().SequenceEqual(certificate.IssuerName.RawData);

    private static BenchmarkException Missing(string option, string file, X509Certificate2 last, string remedy) => OptionValues.Rejected(
        option, $"'{file}' lacks the certificate of '{last.Issuer}', which signed '{last.Subject}'. {remedy}.");

    private static T Read<T>(string option, string file, Func<X509Certificate2Collection, T> read)
    {
        string pem = Text(option, file, "a PEM file with a certificate");
        var certificates = new X509Certificate2Collection();
        try
        {
            Import(certificates, pem, option, file);
            return read(certificates);
        }
        finally
        {
            foreach (X509Certificate2 certificate in certificates)
            {
                certificate.Dispose();
            }
        }
    }

    private static void Import(X509Certificate2Collection certificates, string pem, string option, string file)
    {
        try
        {
            certificates.ImportFromPem(pem);
        }
        catch (CryptographicException exception)
        {
            throw OptionValues.Rejected(
                option, $"'{file}' has a certificate that cannot be read ({exception.Message.TrimEnd('.')}). Use a PEM file with a certificate.", exception);
        }

        int marks = pem.AsSpan().Count(Mark);
        if (certificates.Count == 0 && marks == 0)
        {
            throw OptionValues.Rejected(option, $"'{file}' has no certificate. Use a PEM file with a certificate.");
        }

        if (marks != 2 * certificates.Count)
        {
            // .NET skips a certificate whose lines or base64 are damaged, and the chain would end there.
            throw OptionValues.Rejected(option, $"'{file}' has a damaged certificate. Use a PEM file with whole certificates.");
        }
    }

    private static void RequireValid(X509Certificate2 certificate, string file)
    {
        DateTime now = DateTime.UtcNow;
        (DateTime begin, DateTime end) = (certificate.NotBefore.ToUniversalTime(), certificate.NotAfter.ToUniversalTime());
        if (now > end)
        {
            throw Refused($"expired on {Format(end)} UTC. Use a current one.");
        }

        if (now + s_tolerance < begin)
        {
            throw Refused($"is not valid before {Format(begin)} UTC. Use a current one, or set the clock.");
        }

        BenchmarkException Refused(string fault) => OptionValues.Rejected(StreamOptions.CertificateName, $"the certificate in '{file}' {fault}");
    }

    private static string Format(DateTime time) => time.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture);

    // Converts the key from any format to PKCS #8, because every adapter receives that format.
    private static string KeyOf(X509Certificate2 certificate, string certificateFile, string keyFile)
    {
        string pem = Text(StreamOptions.CertificateKeyName, keyFile, "a PEM file with a private key");
        if (pem.Contains("ENCRYPTED", StringComparison.Ordinal))
        {
            throw OptionValues.Rejected(
                StreamOptions.CertificateKeyName,
                $"the key in '{keyFile}' is encrypted. Decrypt it with this command: {ShellCommand.Format(["openssl", "pkey", "-in", keyFile])}");
        }

        using AsymmetricAlgorithm key = TryRead(RSA.Create(), pem) ?? TryRead(ECDsa.Create(), pem) ?? throw OptionValues.Rejected(
            StreamOptions.CertificateKeyName, $"'{keyFile}' has no readable private key. Use a PEM file with an RSA or ECDSA key.");
        return key.ExportSubjectPublicKeyInfo().AsSpan().SequenceEqual(certificate.PublicKey.ExportSubjectPublicKeyInfo())
            ? key.ExportPkcs8PrivateKeyPem()
            : throw OptionValues.Rejected(
                StreamOptions.CertificateKeyName,
                $"the key in '{keyFile}' does not belong to the certificate in '{certificateFile}'. Use the key of this certificate.");
    }

    // Null if the key is of another algorithm, or not readable.
    private static AsymmetricAlgorithm? TryRead(AsymmetricAlgorithm key, string pem)
    {
        try
        {
            key.ImportFromPem(pem);
            return key;
        }
        catch (Exception exception) when (exception is CryptographicException or ArgumentException)
        {
            key.Dispose();
            return null;
        }
    }

    private static string Text(string option, string file, string valid)
    {
        try
        {
            return File.ReadAllText(OptionValues.RegularFile(file));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw OptionValues.Rejected(option, $"{FileError.Describe(file, exception)}. Use {valid}.", exception);
        }
    }
}
