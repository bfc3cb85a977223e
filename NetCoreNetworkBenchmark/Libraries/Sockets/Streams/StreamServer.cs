using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

/// <summary>The server: a loop that accepts, and a loop for each connection.</summary>
internal sealed class StreamServer : IBenchmarkServer
{
    // If no descriptors are left, an accept fails at once, again and again.
    private static readonly TimeSpan s_restAfterAnError = TimeSpan.FromMilliseconds(50);

    private readonly StreamSide _side;
    private readonly DotNetTls? _tls;
    private readonly ConnectionBound _bound;
    private readonly Socket _listener;
    private readonly ConcurrentDictionary<AcceptedConnection, Task> _connections = new();
    private readonly Task _accepting;
    private volatile bool _stopping;

    public StreamServer(ServerSetup setup)
    {
        _side = StreamSide.Of(setup);
        _tls = setup.Plan.Protocol == Protocol.Ssl ? DotNetTls.Of(setup) : null;
        _bound = new ConnectionBound(setup);
        _listener = ServerSocket.Listen(setup);
        EndPoint = (IPEndPoint)_listener.LocalEndPoint!;
        _accepting = Task.Run(AcceptAsync);
    }

    public IPEndPoint EndPoint { get; }

    public async ValueTask DisposeAsync()
    {
        _stopping = true;
        _listener.Dispose();
        try
        {
            await _accepting.WaitAsync(_side.Plan.StopDeadline).ConfigureAwait(false);
            foreach (AcceptedConnection connection in _connections.Keys)
            {
                connection.Close();
            }

            await Task.WhenAll(_connections.Values).WaitAsync(_side.Plan.StopDeadline).ConfigureAwait(false);
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException($"The server's connections did not end within {_side.Plan.StopDeadline.TotalSeconds:0.#} s.", exception);
        }
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (!_stopping)
            {
                await AcceptOneAsync().ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            _side.Recorder.ReportFault(exception);
        }
    }

    private async Task AcceptOneAsync()
    {
        try
        {
            Serve(await _listener.AcceptAsync().ConfigureAwait(false));
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            if (!_stopping)
            {
                _side.CountError(StreamFailure.NameOf(exception));
                await Task.Delay(s_restAfterAnError).ConfigureAwait(false);
            }
        }
    }

    private void Serve(Socket socket)
    {
        if (!_bound.TryEnter())
        {
            socket.Dispose();
            return;
        }

        var connection = new AcceptedConnection(_side, _tls, new Transport(socket));
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _connections[connection] = ended.Task;
        _ = Task.Run(async () =>
        {
            await connection.RunAsync().ConfigureAwait(false);
            _connections.TryRemove(connection, out _);
            _bound.Leave();
            ended.SetResult();
        });
    }
}
