using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>A server that is not part of the program. It sends back the bytes that it receives over TCP, or over TLS if it has a certificate.</summary>
internal sealed class StreamEcho : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly X509Certificate2? _certificate;
    private readonly Task _running;

    /// <summary>Starts to listen.</summary>
    /// <param name="pfx">The file of the server's certificate; null for no TLS.</param>
    /// <param name="password">The file's password.</param>
    public StreamEcho(string? pfx, string password)
    {
        _certificate = pfx is null ? null : X509CertificateLoader.LoadPkcs12FromFile(pfx, password);
        _listener.Start();
        _running = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _listener.Dispose();
        _certificate?.Dispose();
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        var served = new List<Task>();
        try
        {
            while (true)
            {
                served.Add(EchoAsync(await _listener.AcceptTcpClientAsync(_stop.Token)));
            }
        }
        finally
        {
            await Task.WhenAll(served);
        }
    }

    private async Task EchoAsync(TcpClient connection)
    {
        using (connection)
        {
            connection.NoDelay = true;
            try
            {
                await using NetworkStream plain = connection.GetStream();
                if (_certificate is null)
                {
                    await plain.CopyToAsync(plain, _stop.Token);
                    return;
                }

                await using var secure = new SslStream(plain);
                await secure.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = _certificate }, _stop.Token);
                await secure.CopyToAsync(secure, _stop.Token);
            }
            catch (Exception exception) when (exception is IOException or OperationCanceledException or AuthenticationException)
            {
                // A client has left, or the test has ended.
                return;
            }
        }
    }
}
