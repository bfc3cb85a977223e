using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

using SslSession = NetCoreServer.SslSession;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

// Shows the whole chain of the server's certificate. The library hands its own stream one certificate, and .NET looks for those between it and the authority
// in the stores of the system alone.
internal sealed class ChainStream : SslStream
{
    private readonly SslServerAuthenticationOptions _options;

    private ChainStream(Socket socket, SslServerAuthenticationOptions options)
        : base(new NetworkStream(socket, ownsSocket: false), leaveInnerStreamOpen: false) => _options = options;

    public static void Use(SslSession session, SslServerAuthenticationOptions options) => StreamOf(session) = new ChainStream(session.Socket, options);

    public override IAsyncResult BeginAuthenticateAsServer(
        X509Certificate serverCertificate, bool clientCertificateRequired, SslProtocols enabledSslProtocols, bool checkCertificateRevocation,
        AsyncCallback? asyncCallback, object? asyncState) => TaskToAsyncResult.Begin(AuthenticateAsServerAsync(_options), asyncCallback, asyncState);

    public override void EndAuthenticateAsServer(IAsyncResult asyncResult) => TaskToAsyncResult.End(asyncResult);

    // The library has no other way to its stream.
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_sslStream")]
    private static extern ref SslStream StreamOf(SslSession session);
}
