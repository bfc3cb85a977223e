using NetCoreNetworkBenchmark.Certificates;
using NetCoreNetworkBenchmark.Plans;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The options by which a server shows a certificate and clients verify it, where each is started apart.</summary>
internal sealed class CertificatesOfRoles : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-");

    public CertificatesOfRoles() => CertificateFolder.Write(_folder.FullName, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);

    public string OfServer => $"--certificate {_folder}/server.crt --certificate-key {_folder}/server.key";

    public string OfClients => $"--authority {_folder}/ca.crt";

    public void Dispose() => _folder.Delete(recursive: true);
}
