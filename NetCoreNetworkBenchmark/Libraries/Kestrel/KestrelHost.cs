using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection;

namespace NetCoreNetworkBenchmark.Libraries.Kestrel;

internal sealed class KestrelHost : IBenchmarkServer
{
    // The maximum wait for connections that are still in their handshake when the server stops.
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(500);

    private readonly ServerSetup _setup;
    private readonly StreamSide _side;
    private readonly WebApplication _services;
    private readonly IServer _server;
    private readonly ConnectionLimit _limit;
    private readonly HttpAnswers _http;
    private readonly bool _isHttp;
    private readonly ConcurrentDictionary<KestrelConnection, bool> _open = new();
    private ListenOptions? _listening;
    private volatile bool _isStopped;

    private KestrelHost(ServerSetup setup, bool isHttp, Action<SocketTransportOptions> choose)
    {
        _setup = setup;
        _side = StreamSide.Of(setup);
        _limit = new ConnectionLimit(setup);
        (_http, _isHttp) = (new HttpAnswers(_side), isHttp);
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore()
            .UseSockets(options =>
            {
                options.Backlog = ServerSocket.Backlog;
                choose(options);
            })
            .ConfigureKestrel(options =>
            {
                options.AddServerHeader = false;
                options.Listen(setup.EndPoint, Listen);
            });
        _services = builder.Build();
        _server = _services.Services.GetRequiredService<IServer>();
    }

    public IPEndPoint EndPoint => _listening!.IPEndPoint!;

    public static KestrelHost Start(ServerSetup setup, bool isHttp, Action<SocketTransportOptions> choose)
    {
        var host = new KestrelHost(setup, isHttp, choose);
        try
        {
            // The call binds and listens, and has nothing to wait for. It requires an application also if no connection gets as far as HTTP.
            host._server.StartAsync(host._http, CancellationToken.None).WaitAsync(setup.Plan.ConnectDeadline).GetAwaiter().GetResult();
            return host;
        }
        catch (Exception exception) when (exception is IOException or SocketException or TimeoutException)
        {
            ((IDisposable)host._services).Dispose();
            double seconds = setup.Plan.ConnectDeadline.TotalSeconds;
            throw exception.GetBaseException() is SocketException error ? BindFailure.Explain(setup.EndPoint, error)
                : exception is TimeoutException
                ? new BenchmarkException(FormattableString.Invariant($"Kestrel did not bind {setup.EndPoint} within {seconds:0.#} s."), exception)
                : new BenchmarkException($"The server could not be bound to {setup.EndPoint}: {exception.Message}", exception);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_isStopped)
        {
            return;
        }

        _isStopped = true;
        foreach (KestrelConnection connection in _open.Keys)
        {
            connection.Close();
        }

        using var patience = new CancellationTokenSource(s_patience);
        await _server.StopAsync(patience.Token).ConfigureAwait(false);
        await _services.DisposeAsync().ConfigureAwait(false);
    }

    private void Listen(ListenOptions options)
    {
        _listening = options;
        options.Protocols = _isHttp ? HttpProtocols.Http1 : HttpProtocols.None;
        options.Use(Limit);
        if (_setup.Plan.Protocol == Protocol.Ssl)
        {
            var handshakes = new Handshakes(_side, DotNetTls.Of(_setup));
            options.Use(handshakes.Watch);
            options.UseHttps(handshakes.Options);
            options.Use(handshakes.Count);
        }

        if (_isHttp)
        {
            options.Use(_http.Watch);
        }
        else
        {
            options.Run(ServeAsync);
        }
    }

    private ConnectionDelegate Limit(ConnectionDelegate next) => async context =>
    {
        if (!_limit.TryEnter())
        {
            context.Abort();
            return;
        }

        try
        {
            await next(context).ConfigureAwait(false);
        }
        finally
        {
            _limit.Leave();
        }
    };

    private async Task ServeAsync(ConnectionContext context)
    {
        var connection = new KestrelConnection(_side, context);
        _open.TryAdd(connection, true);
        if (!_isStopped)
        {
            await connection.ServeAsync().ConfigureAwait(false);
        }

        _open.TryRemove(connection, out _);
    }
}
