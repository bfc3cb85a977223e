namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>Whom a client tells what became of its attempt to connect.</summary>
public interface IConnectObserver
{
    /// <summary>One more client has connected.</summary>
    void Connected();

    /// <summary>A client cannot connect, so that waiting for the deadline would be in vain.</summary>
    /// <param name="reason">Why, without a full stop.</param>
    void Refused(string reason);
}

/// <summary>Counts the clients of a group as they connect, and tells when all have, or why not. From any thread.</summary>
public sealed class ConnectTracker : IConnectObserver
{
    private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly RunPlan _plan;
    private int _connected;

    /// <summary>Creates a tracker.</summary>
    /// <param name="plan">The plan; it says how many clients and the deadline.</param>
    public ConnectTracker(RunPlan plan) => _plan = plan;

    /// <inheritdoc/>
    public void Connected()
    {
        if (Interlocked.Increment(ref _connected) == _plan.Clients)
        {
            _all.TrySetResult();
        }
    }

    /// <inheritdoc/>
    public void Refused(string reason) => _all.TrySetException(new BenchmarkException($"A client could not connect: {reason}."));

    /// <summary>Lets a group connect and waits until all its clients have; a group that cannot is disposed.</summary>
    /// <param name="group">The group.</param>
    /// <param name="begin">Begins to connect.</param>
    /// <param name="setup">Where the group connects, and whose fault ends the wait.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The group, connected.</returns>
    /// <exception cref="BenchmarkException">Not all connected before the deadline.</exception>
    public async Task<IClientGroup> ConnectAsync(IClientGroup group, Action begin, ClientSetup setup, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(group);
        ArgumentNullException.ThrowIfNull(begin);
        ArgumentNullException.ThrowIfNull(setup);
        try
        {
            begin();
            await WaitAsync(setup, cancellationToken).ConfigureAwait(false);
            return group;
        }
        catch
        {
            setup.Recorder.Enter(RunPhase.Stop);
            await group.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Waits until all clients have connected.</summary>
    /// <param name="setup">Where they connect, and whose fault ends the wait.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task that ends when all have connected.</returns>
    /// <exception cref="BenchmarkException">Not all connected before the deadline.</exception>
    public async Task WaitAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(setup);
        Task<Exception> faulted = setup.Recorder.Fault;
        try
        {
            if (await Task.WhenAny(_all.Task, faulted).WaitAsync(_plan.ConnectDeadline, cancellationToken).ConfigureAwait(false) == faulted)
            {
                Exception fault = await faulted.ConfigureAwait(false);
                throw new BenchmarkException($"The clients could not connect to {setup.EndPoint}: {fault.Message}", fault);
            }

            await _all.Task.ConfigureAwait(false);
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException(
                FormattableString.Invariant($"Only {Volatile.Read(ref _connected)} of {_plan.Clients} clients connected to {setup.EndPoint} within {_plan.ConnectDeadline.TotalSeconds:0.#} s."),
                exception);
        }
    }
}
