using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// Adopts the result of .NET's <see cref="SslStream"/> for one TLS handshake, and describes the objection to the other side (server or client) in words. Any
/// name is valid if the name is null.
/// </summary>
public sealed class PeerVerification(string peer, string? name, TimeSpan deadline)
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
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable) => $"the {peer} shows no certificate",
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateChainErrors) => $"the {peer}'s certificate {ObjectionTo(chain)}",
            _ => $"the {peer}'s certificate is for another name than '{name}'",
        };
        return _objection is null;
    }

    /// <summary>Whether the other side was verified and refused.</summary>
    public bool HasObjection => _objection is not null;

    /// <summary>Explains why a handshake failed, without a full stop. The exception is null if it is not known.</summary>
    public string Explain(Exception? exception) => _objection ?? exception switch
    {
        null => $"the {peer} violated the TLS protocol or closed the connection",
        OperationCanceledException or TimeoutException => FormattableString.Invariant($"the {peer} did not complete it within {deadline.TotalSeconds:0.#} s"),
        _ => StreamFailure.NameOf(exception, peer),
    };

    private static string ObjectionTo(X509Chain? chain)
    {
        X509ChainStatusFlags status = (chain?.ChainStatus ?? []).Aggregate(X509ChainStatusFlags.NoError, (flags, element) => flags | element.Status);
        return status switch
        {
            _ when (status & (X509ChainStatusFlags.PartialChain | X509ChainStatusFlags.UntrustedRoot)) != 0 => "is not signed by an authority that is trusted",
            _ when !status.HasFlag(X509ChainStatusFlags.NotTimeValid) => $"is not valid ({status})",
            _ when chain!.ChainElements[0].Certificate.NotBefore > DateTime.Now => "is not valid yet",
            _ => "has expired",
        };
    }
}
