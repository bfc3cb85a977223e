using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>Receives the results of the clients' attempts to connect.</summary>
public interface IConnectObserver
{
    /// <summary>Called when one more client has connected.</summary>
    void Connected();

    /// <summary>Called when a client cannot connect, so that it is useless to wait for the deadline. The reason has no full stop.</summary>
    void Refused(string reason);

    /// <summary>Whether the client that connects takes over the slot of one that lost its connection. Its first answer is then reported.</summary>
    bool AwaitsAnswer => false;

    /// <summary>Called when the connection of a client that had connected has ended.</summary>
    void Lost()
    {
        // Most clients are not replaced.
    }

    /// <summary>Called when the first message has reached a client for which <see cref="AwaitsAnswer"/> is true.</summary>
    void Answered()
    {
        // Most clients are not replaced.
    }
}

/// <summary>Counts the clients of a group as they connect, and reports when all are connected, or why they are not. From any thread.</summary>
internal sealed class ConnectTracker(RunPlan plan) : IConnectObserver
{
    private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _connected;

    public void Connected()
    {
        if (Interlocked.Increment(ref _connected) == plan.Clients)
        {
            _all.TrySetResult();
        }
    }

    public void Refused(string reason) => _all.TrySetException(new BenchmarkException($"A client could not connect: {reason}."));

    /// <summary>
    /// Starts the connect of a group and waits until all its clients are connected. A fault of the run ends the wait. A group that cannot connect is disposed.
    /// </summary>
    public async Task<IClientGroup> ConnectAsync(IClientGroup group, Action begin, ClientSetup setup, CancellationToken cancellationToken)
    {
        try
        {
            begin();
            await WaitAsync(setup, cancellationToken).ConfigureAwait(false);
            return group;
        }
        catch
        {
            // Clients that have connected are closed here, and did not lose their server.
            setup.Recorder.Enter(RunPhase.Stop);
            await group.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async Task WaitAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        Task<Exception> faulted = setup.Recorder.Fault;
        try
        {
            if (await Task.WhenAny(_all.Task, faulted).WaitAsync(plan.ConnectDeadline, cancellationToken).ConfigureAwait(false) == faulted)
            {
                Exception fault = await faulted.ConfigureAwait(false);
                string? noPort = fault is SocketException failure ? LocalPorts.Explain(setup.EndPoint, failure.SocketErrorCode) : null;
                throw new BenchmarkException($"The clients could not connect to {setup.EndPoint}: {noPort ?? fault.Message}", fault);
            }

            await _all.Task.ConfigureAwait(false);
        }
        catch (TimeoutException exception)
        {
            throw Deadline.Missed(
                $"Only {Volatile.Read(ref _connected)} of {plan.Clients} clients connected to {setup.EndPoint}", plan.ConnectDeadline, exception);
        }
    }
}

// The slot of a client in its group, in a plan with reconnection: a client that loses its connection is followed by a new one, which is a new peer for the
// workload, until the run ends. Calls for one slot are serial.
internal abstract class ClientSlot(ClientSetup setup, IConnectObserver first) : IConnectObserver
{
    private readonly TimeSpan _interval = setup.Plan.Liveness.Reconnect!.Value;
    private bool _wasConnected;

    // The time of the loss after which no answer has come yet; 0 if there was none.
    private long _lostAt;

    public bool AwaitsAnswer => _lostAt != 0;

    public void Connected()
    {
        if (!_wasConnected)
        {
            _wasConnected = true;
            first.Connected();
            return;
        }

        setup.Recorder.Reconnections.CountReturned();
        OnReturned();
    }

    public void Refused(string reason)
    {
        if (!_wasConnected)
        {
            first.Refused(reason);
        }
        else
        {
            ReturnLater();
        }
    }

    public void Lost()
    {
        if (_wasConnected && setup.Recorder.Phase != RunPhase.Stop)
        {
            _lostAt = _lostAt == 0 ? setup.Recorder.Clock.GetTimestamp() : _lostAt;
            setup.Recorder.Reconnections.CountLost();
            ReturnLater();
        }
    }

    public void Answered()
    {
        setup.Recorder.Reconnections.RecordGap(setup.Recorder.Clock.GetTimestamp() - _lostAt);
        _lostAt = 0;
    }

    /// <param name="due">By the run's clock.</param>
    protected abstract void ReturnAt(long due);

    /// <summary>The client's load begins if that of the group has begun.</summary>
    protected abstract void OnReturned();

    // Clients that lost the same server at the same time do not come back at the same time.
    private void ReturnLater() =>
        ReturnAt(setup.Recorder.Clock.GetTimestamp() + RunRecorder.ToTicks(_interval * (0.5 + (Random.Shared.NextDouble() / 2))));
}
