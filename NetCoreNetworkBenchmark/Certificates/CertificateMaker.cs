using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>In memory: an authority, and a certificate for the server and one for the clients, both signed by it (RFC 5280).</summary>
public static class CertificateMaker
{
    private const int SerialNumberBytes = 16;
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";
    private const string ClientAuthentication = "1.3.6.1.5.5.7.3.2";

    // The clocks of two hosts differ, and the certificates must not expire during a run across midnight.
    private static readonly TimeSpan s_tolerance = TimeSpan.FromHours(1);

    public static readonly TimeSpan Lifetime = TimeSpan.FromDays(7);

    // The names are in addition to localhost and the loopback addresses. An end in the past makes an expired set, for tests.
    public static TlsCredentials Make(TlsKey key, IEnumerable<string> names, DateTimeOffset? notAfter = null)
    {
        CertificateSet set = MakeSet(key, names, notAfter);
        return new TlsCredentials
        {
            Authority = set.Authority.Certificate,
            ServerCertificate = set.Server.Certificate,
            ServerKey = set.Server.Key,
            ClientCertificate = set.Client.Certificate,
            ClientKey = set.Client.Key,
        };
    }

    public static CertificateSet MakeSet(TlsKey key, IEnumerable<string> names, DateTimeOffset? notAfter = null)
    {
        DateTimeOffset end = notAfter ?? DateTimeOffset.UtcNow + Lifetime;
        DateTimeOffset now = DateTimeOffset.UtcNow;
        (DateTimeOffset, DateTimeOffset) validity = ((end < now ? end - Lifetime : now) - s_tolerance, end);
        using AsymmetricAlgorithm authorityKey = key.Create();
        using X509Certificate2 authority = MakeAuthority(authorityKey, validity);
        return new CertificateSet(
            new IssuedCertificate(authority.ExportCertificatePem(), authorityKey.ExportPkcs8PrivateKeyPem()),
            MakeSigned("NetCoreNetworkBenchmark server", ServerAuthentication, NamesOf(names), key, authority, validity),
            MakeSigned("NetCoreNetworkBenchmark client", ClientAuthentication, null, key, authority, validity));
    }

    private static X509Certificate2 MakeAuthority(AsymmetricAlgorithm key, (DateTimeOffset Begin, DateTimeOffset End) validity)
    {
        // Each authority has a unique name: two authorities with the same name could be mistaken for each other.
        string name = $"NetCoreNetworkBenchmark authority {Convert.ToHexString(RandomNumberGenerator.GetBytes(4))}";
        CertificateRequest request = RequestFor(name, key);
        request.CertificateExtensions.Add(
            new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: true, pathLengthConstraint: 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, critical: true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        return request.CreateSelfSigned(validity.Begin, validity.End);
    }

    private static IssuedCertificate MakeSigned(
        string name, string purpose, X509Extension? names, TlsKey kind, X509Certificate2 authority, (DateTimeOffset Begin, DateTimeOffset End) validity)
    {
        using AsymmetricAlgorithm key = kind.Create();
        CertificateRequest request = RequestFor(name, key);
        request.CertificateExtensions.Add(
            new X509BasicConstraintsExtension(certificateAuthority: false, hasPathLengthConstraint: false, pathLengthConstraint: 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(purpose)], critical: false));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        request.CertificateExtensions.Add(
            X509AuthorityKeyIdentifierExtension.CreateFromCertificate(authority, includeKeyIdentifier: true, includeIssuerAndSerial: false));
        if (names is not null)
        {
            request.CertificateExtensions.Add(names);
        }

        using X509Certificate2 certificate = request.Create(authority, validity.Begin, validity.End, RandomNumberGenerator.GetBytes(SerialNumberBytes));
        return new IssuedCertificate(certificate.ExportCertificatePem(), key.ExportPkcs8PrivateKeyPem());
    }

    /// <summary>Determines whether a certificate can have a name, of which every label has 1 to 63 characters.</summary>
    public static bool CanHave(string name)
    {
        try
        {
            NamesOf([name]);
            return true;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    private static X509Extension NamesOf(IEnumerable<string> names)
    {
        var builder = new SubjectAlternativeNameBuilder();
        foreach (string name in
            names.Concat(["localhost", IPAddress.Loopback.ToString(), IPAddress.IPv6Loopback.ToString()]).Distinct(StringComparer.OrdinalIgnoreCase))
        {
            if (IPAddress.TryParse(name, out IPAddress? address))
            {
                builder.AddIpAddress(address);
            }
            else
            {
                builder.AddDnsName(name);
            }
        }

        return builder.Build();
    }

    private static CertificateRequest RequestFor(string name, AsymmetricAlgorithm key) => key is RSA rsa
        ? new CertificateRequest($"CN={name}", rsa, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)
        : new CertificateRequest($"CN={name}", (ECDsa)key, ((ECDsa)key).KeySize > 256 ? HashAlgorithmName.SHA384 : HashAlgorithmName.SHA256);
}

public sealed record CertificateSet(IssuedCertificate Authority, IssuedCertificate Server, IssuedCertificate Client);

/// <summary>A certificate and its key (PKCS #8, not encrypted), in PEM (RFC 7468).</summary>
public sealed record IssuedCertificate(string Certificate, string Key)
{
    // Output and logs must not contain keys.
    public override string ToString() => "certificate with its key";
}
