using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>A server that sends back the bytes that it receives over TCP, or over TLS if it has a certificate.</summary>
internal sealed class StreamEcho : TcpServer
{
    private readonly X509Certificate2? _certificate;

    /// <summary>Starts to listen.</summary>
    /// <param name="pfx">The file of the server's certificate; null for no TLS.</param>
    /// <param name="password">The file's password.</param>
    public StreamEcho(string? pfx, string password)
    {
        _certificate = pfx is null ? null : X509CertificateLoader.LoadPkcs12FromFile(pfx, password);
        Start();
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        _certificate?.Dispose();
    }

    protected override async Task ServeAsync(NetworkStream connection, CancellationToken cancellationToken)
    {
        if (_certificate is null)
        {
            await connection.CopyToAsync(connection, cancellationToken);
            return;
        }

        await using var secure = new SslStream(connection);
        await secure.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = _certificate }, cancellationToken);
        await secure.CopyToAsync(secure, cancellationToken);
    }
}
