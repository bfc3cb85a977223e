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

    /// <summary>Waits for all clients.</summary>
    /// <param name="endPoint">Where they connect, for the message.</param>
    /// <param name="recorder">Whose fault ends the wait.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task that ends when all have connected.</returns>
    /// <exception cref="BenchmarkException">Not all connected before the deadline.</exception>
    public async Task WaitAsync(System.Net.IPEndPoint endPoint, RunRecorder recorder, CancellationToken cancellationToken)
    {
        try
        {
            Task first = await Task.WhenAny(_all.Task, recorder.Fault)
                .WaitAsync(_plan.ConnectDeadline, cancellationToken).ConfigureAwait(false);
            if (first == recorder.Fault)
            {
                Exception fault = await recorder.Fault.ConfigureAwait(false);
                throw new BenchmarkException($"The clients could not connect to {endPoint}: {fault.Message}", fault);
            }

            await _all.Task.ConfigureAwait(false);
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException(
                FormattableString.Invariant($"Only {Volatile.Read(ref _connected)} of {_plan.Clients} clients connected to {endPoint} within {_plan.ConnectDeadline.TotalSeconds:0.#} s."),
                exception);
        }
    }
}
