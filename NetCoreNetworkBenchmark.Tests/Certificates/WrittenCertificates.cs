namespace NetCoreNetworkBenchmark.Tests.Certificates;

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
