using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection;

namespace NetCoreNetworkBenchmark.Libraries.AspNetCore;

// A server on Kestrel, with one endpoint over TCP or TLS. A derived class serves the connections.
internal abstract class KestrelHost : IBenchmarkServer
{
    private static readonly TimeSpan s_maxWaitForHandshakes = TimeSpan.FromMilliseconds(500);

    private readonly ServerSetup _setup;
    private readonly ConnectionLimit _limit;
    private readonly ConcurrentDictionary<StreamPeer, bool> _open = new();
    private WebApplication? _services;
    private IServer? _server;
    private ListenOptions? _listening;
    private volatile bool _isStopped;

    protected KestrelHost(ServerSetup setup)
    {
        _setup = setup;
        Side = StreamSide.For(setup);
        _limit = new ConnectionLimit(setup);
    }

    public IPEndPoint EndPoint => _listening!.IPEndPoint!;

    protected StreamSide Side { get; }

    // A derived class calls this when it is complete: Kestrel calls Configure as soon as the services are built. It requires an application in any case.
    protected void Start(IHttpApplication<IFeatureCollection> application, Action<SocketTransportOptions>? choose = null)
    {
        _services = BuildServices(choose);
        _server = _services.Services.GetRequiredService<IServer>();
        try
        {
            // The call has nothing to wait for.
            _server.StartAsync(application, CancellationToken.None).WaitAsync(_setup.Plan.ConnectDeadline).GetAwaiter().GetResult();
        }
        catch (Exception exception) when (exception is IOException or SocketException or TimeoutException)
        {
            ((IDisposable)_services).Dispose();
            throw exception.GetBaseException() is SocketException error ? BindFailure.Explain(_setup.EndPoint, error)
                : exception is TimeoutException ? Deadline.Missed($"The server did not bind {_setup.EndPoint}", _setup.Plan.ConnectDeadline, exception)
                : new BenchmarkException($"The server could not be bound to {_setup.EndPoint}: {exception.Message}", exception);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_isStopped)
        {
            return;
        }

        _isStopped = true;
        foreach (StreamPeer peer in _open.Keys)
        {
            peer.Close();
        }

        using var deadline = new CancellationTokenSource(s_maxWaitForHandshakes);
        await _server!.StopAsync(deadline.Token).ConfigureAwait(false);
        await _services!.DisposeAsync().ConfigureAwait(false);
    }

    // Adds what follows on the limit of connections and on TLS, and chooses the versions of HTTP.
    protected abstract void Configure(ListenOptions options);

    // Serves a connection that a stop of the server closes.
    protected async Task ServeAsync(StreamPeer peer, Func<Task> serve)
    {
        _open.TryAdd(peer, true);
        try
        {
            if (!_isStopped)
            {
                await serve().ConfigureAwait(false);
            }
        }
        finally
        {
            _open.TryRemove(peer, out _);
        }
    }

    private WebApplication BuildServices(Action<SocketTransportOptions>? choose)
    {
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore()
            .UseSockets(options =>
            {
                options.Backlog = ServerSocket.Backlog;
                choose?.Invoke(options);
            })
            .ConfigureKestrel(options =>
            {
                options.AddServerHeader = false;
                options.Limits.RequestHeadersTimeout = _setup.Plan.ConnectDeadline;
                options.Limits.KeepAliveTimeout = _setup.Plan.ConnectDeadline;
                options.Listen(_setup.EndPoint, Listen);
            });
        builder.Services.AddSingleton<SocketTransportFactory>();
        builder.Services.AddSingleton<IConnectionListenerFactory>(
            services => new LimitedTransport(services.GetRequiredService<SocketTransportFactory>(), _limit));
        return builder.Build();
    }

    private void Listen(ListenOptions options)
    {
        _listening = options;
        options.Use(ReleaseAtEnd);
        if (_setup.Plan.Protocol == Protocol.Ssl)
        {
            var handshakes = new Handshakes(Side, DotNetTls.For(_setup));
            options.Use(handshakes.Watch);
            options.UseHttps(handshakes.Options);
            options.Use(handshakes.Count);
        }

        Configure(options);
    }

    private ConnectionDelegate ReleaseAtEnd(ConnectionDelegate next) => async context =>
    {
        try
        {
            await next(context).ConfigureAwait(false);
        }
        finally
        {
            _limit.Leave();
        }
    };
}
