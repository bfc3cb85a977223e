namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The options by which a server shows a certificate and clients verify it, where each is started apart.</summary>
internal sealed class CertificatesOfRoles : InTemporaryFolder
{
    public CertificatesOfRoles() => CertificateFolder.Write(Folder.FullName, CertificateMaker.MakeSet(TlsKey.P256, []), "x", replace: false);

    public string OfServer => $"--certificate {Folder}/server.crt --certificate-key {Folder}/server.key";
    public string OfClients => $"--authority {Folder}/ca.crt";
}
