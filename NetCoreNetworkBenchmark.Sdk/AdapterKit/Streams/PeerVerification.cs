using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// Adopts the result of .NET's <see cref="SslStream"/> for one TLS handshake, and describes the objection to the other side (server or client) in words. Any
/// name is valid if the name is null.
/// </summary>
public sealed class PeerVerification(string other, string? name, TimeSpan deadline)
{
    private string? _objection;

    /// <summary>Adopts the result of <see cref="SslStream"/>, which has checked the certificate.</summary>
    public bool Accepts(X509Chain? chain, SslPolicyErrors errors)
    {
        // QUIC of .NET also compares the name of a client's certificate, although a client needs no name.
        errors = name is null ? errors & ~SslPolicyErrors.RemoteCertificateNameMismatch : errors;
        _objection = errors switch
        {
            SslPolicyErrors.None => null,
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable) => $"the {other} shows no certificate",
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateChainErrors) => $"the {other}'s certificate {ObjectionTo(chain)}",
            _ => $"the {other}'s certificate is for another name than '{name}'",
        };
        return _objection is null;
    }

    /// <summary>Whether the other side was verified and refused.</summary>
    public bool HasObjection => _objection is not null;

    /// <summary>Explains why a handshake failed, without a full stop. The exception is null if it is not known.</summary>
    public string Explain(Exception? exception) => _objection ?? exception switch
    {
        null => $"the {other} violated the TLS protocol or closed the connection",
        OperationCanceledException or TimeoutException => FormattableString.Invariant($"the {other} did not complete it within {deadline.TotalSeconds:0.#} s"),
        _ => StreamFailure.NameOf(exception, other),
    };

    private static string ObjectionTo(X509Chain? chain)
    {
        X509ChainStatusFlags found = (chain?.ChainStatus ?? []).Aggregate(X509ChainStatusFlags.NoError, (flags, status) => flags | status.Status);
        return found switch
        {
            _ when (found & (X509ChainStatusFlags.PartialChain | X509ChainStatusFlags.UntrustedRoot)) != 0 => "is not signed by an authority that is trusted",
            _ when !found.HasFlag(X509ChainStatusFlags.NotTimeValid) => $"is not valid ({found})",
            _ when chain!.ChainElements[0].Certificate.NotBefore > DateTime.Now => "is not valid yet",
            _ => "has expired",
        };
    }
}
