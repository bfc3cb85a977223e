using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.WebSockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using NetCoreNetworkBenchmark.Libraries.AspNetCore;

namespace NetCoreNetworkBenchmark.Libraries.WebSockets;

// What UseWebSockets adds to an application, on Kestrel's HTTP/1.1 and without a host.
internal sealed class WebSocketServer : KestrelHost, IHttpApplication<IFeatureCollection>
{
    private readonly WebSocketMiddleware _upgrade;

    public WebSocketServer(ServerSetup setup)
        : base(setup)
    {
        _upgrade = new WebSocketMiddleware(ServeAsync, new OptionsWrapper<WebSocketOptions>(new WebSocketOptions()), NullLoggerFactory.Instance);
        Start(this);
    }

    public IFeatureCollection CreateContext(IFeatureCollection contextFeatures) => contextFeatures;

    public Task ProcessRequestAsync(IFeatureCollection context) => _upgrade.Invoke(new DefaultHttpContext(context));

    public void DisposeContext(IFeatureCollection context, Exception? exception)
    {
        // A connection may break before its upgrade is complete.
        if (exception is not null && !StreamFailure.IsOne(exception))
        {
            Side.Recorder.ReportFault(exception);
        }
    }

    protected override void Configure(ListenOptions options)
    {
        options.Protocols = HttpProtocols.Http1;
        options.Use(Watch);
    }

    // Kestrel itself answers what is no request of HTTP, and reports it to its log only. So each connection is marked after its upgrade.
    private ConnectionDelegate Watch(ConnectionDelegate next) => async context =>
    {
        var upgrade = new PendingUpgrade();
        context.Features.Set(upgrade);
        await next(context).ConfigureAwait(false);
        if (!upgrade.IsDone)
        {
            Side.CountError("WebSocket handshake failed");
        }

        await Handshakes.EndAsync(context).ConfigureAwait(false);
    };

    private async Task ServeAsync(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
            context.Response.Headers.Connection = "close";
            return;
        }

        using WebSocket socket = await context.WebSockets.AcceptWebSocketAsync().ConfigureAwait(false);
        context.Features.GetRequiredFeature<PendingUpgrade>().IsDone = true;
        var peer = new WebSocketPeer(Side, socket);
        await ServeAsync(peer, peer.RunAsync).ConfigureAwait(false);
    }

    private sealed class PendingUpgrade
    {
        public bool IsDone { get; set; }
    }
}
