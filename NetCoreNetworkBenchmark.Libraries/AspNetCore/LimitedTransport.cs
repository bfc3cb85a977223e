using Microsoft.AspNetCore.Connections;

namespace NetCoreNetworkBenchmark.Libraries.AspNetCore;

// Kestrel accepts the next connections while those before them wait for a thread (dotnet/aspnetcore, ConnectionDispatcher), and its own limit counts them only
// then. So connections are refused here, one after the other: they take a single descriptor together, however many come.
internal sealed class LimitedTransport(IConnectionListenerFactory inner, ConnectionLimit limit) : IConnectionListenerFactory
{
    public async ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default) =>
        new Listener(await inner.BindAsync(endpoint, cancellationToken).ConfigureAwait(false), limit);

    private sealed class Listener(IConnectionListener inner, ConnectionLimit limit) : IConnectionListener
    {
        public EndPoint EndPoint => inner.EndPoint;

        public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
        {
            while (true)
            {
                ConnectionContext? connection = await inner.AcceptAsync(cancellationToken).ConfigureAwait(false);
                if (connection is null || limit.TryEnter())
                {
                    return connection;
                }

                connection.Abort();
                await connection.DisposeAsync().ConfigureAwait(false);
            }
        }

        public ValueTask UnbindAsync(CancellationToken cancellationToken = default) => inner.UnbindAsync(cancellationToken);

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}
