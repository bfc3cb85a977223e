namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>The connections of a server whose library accepts them one at a time: a loop accepts, and each connection has a loop of its own.</summary>
public sealed class ReadingConnections
{
    private readonly StreamSide _side;
    private readonly ConnectionLimit _limit;
    private readonly Func<Task<ReadingPeer>> _accept;
    private readonly Func<Exception, Task> _onFailure;
    private readonly ConcurrentDictionary<ReadingPeer, Task> _connections = new();
    private readonly Task _accepting;
    private volatile bool _stopping;

    /// <summary>Starts to accept. A failed accept is counted, unless the server stops; the next one begins when that task is complete.</summary>
    public ReadingConnections(ServerSetup setup, StreamSide side, Func<Task<ReadingPeer>> accept, Func<Exception, Task> onFailure)
    {
        (_side, _limit, _accept, _onFailure) = (side, new ConnectionLimit(setup), accept, onFailure);
        _accepting = Task.Run(AcceptAsync);
    }

    /// <summary>Ends the loop and all connections. The listener is closed first, so that an accept in progress fails.</summary>
    public async Task StopAsync(Func<ValueTask> closeListener)
    {
        const string Fault = "The server's connections did not end";
        _stopping = true;
        await closeListener().ConfigureAwait(false);
        await _accepting.WithinAsync(_side.Plan.StopDeadline, Fault).ConfigureAwait(false);
        foreach (ReadingPeer connection in _connections.Keys)
        {
            connection.Close();
        }

        await Task.WhenAll(_connections.Values).WithinAsync(_side.Plan.StopDeadline, Fault).ConfigureAwait(false);
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
            Serve(await _accept().ConfigureAwait(false));
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            if (!_stopping)
            {
                await _onFailure(exception).ConfigureAwait(false);
            }
        }
    }

    // A connection for which there is no slot is closed by this thread, before the next accept.
    private void Serve(ReadingPeer connection)
    {
        Task serving = _limit.TryEnter() ? Task.Run(() => ServeAsync(connection)) : connection.RefuseAsync();
        _connections[connection] = serving;
        _ = serving.ContinueWith(
            ended => Forget(connection, ended), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    // The connection reports its own failures, but not one of its release.
    private void Forget(ReadingPeer connection, Task ended)
    {
        _connections.TryRemove(connection, out _);
        if (ended.Exception is { } failure)
        {
            _side.Recorder.ReportFault(failure);
        }
    }

    private async Task ServeAsync(ReadingPeer connection)
    {
        try
        {
            await connection.RunAsync().ConfigureAwait(false);
        }
        finally
        {
            _limit.Leave();
        }
    }
}
