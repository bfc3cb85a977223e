using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using NetCoreNetworkBenchmark.Libraries.AspNetCore;

namespace NetCoreNetworkBenchmark.Libraries.Kestrel;

internal sealed class KestrelServer : KestrelHost
{
    private readonly HttpAnswers _http;
    private readonly bool _isHttp;

    public KestrelServer(ServerSetup setup, bool isHttp, Action<SocketTransportOptions> choose)
        : base(setup)
    {
        (_http, _isHttp) = (new HttpAnswers(Side), isHttp);
        Start(_http, choose);
    }

    protected override void Configure(ListenOptions options)
    {
        options.Protocols = _isHttp ? HttpProtocols.Http1 : HttpProtocols.None;
        if (_isHttp)
        {
            options.Use(_http.Watch);
        }
        else
        {
            options.Run(ServeAsync);
        }
    }

    private Task ServeAsync(ConnectionContext context)
    {
        var connection = new KestrelConnection(Side, context);
        return ServeAsync(connection, connection.ServeAsync);
    }
}
