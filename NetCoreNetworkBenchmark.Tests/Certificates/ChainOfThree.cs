using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace NetCoreNetworkBenchmark.Tests.Certificates;

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
