using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace NetCoreNetworkBenchmark.Certificates;

/// <summary>Checks a certificate that another host has sent, before it is passed to a TLS library.</summary>
public static class CredentialCheck
{
    /// <summary>Determines whether a text is a certificate.</summary>
    /// <param name="pem">The received certificate of an authority, in PEM.</param>
    /// <returns>True if the certificate can be read.</returns>
    public static bool IsAuthority(string pem)
    {
        try
        {
            using var authority = X509Certificate2.CreateFromPem(pem);
            return true;
        }
        catch (Exception exception) when (exception is CryptographicException or ArgumentException)
        {
            return false;
        }
    }
}
