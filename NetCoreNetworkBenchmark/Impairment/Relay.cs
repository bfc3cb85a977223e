using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// Carries traffic between clients and a server in both directions, and impairs it according to a plan. The server can still distinguish the
/// clients. One thread does all the work and never blocks.
/// <para>
/// Delay, jitter and bandwidth act from the start. The other impairments act, and all traffic is counted, between <see cref="BeginAsync"/> and
/// <see cref="EndAsync"/>. Traffic that arrives before or after is only carried.
/// </para>
/// </summary>
public abstract class Relay : IAsyncDisposable
{
    private readonly RelaySetup _setup;
    private readonly PollLoop _loop;
    private bool _stopped;

    private protected Relay(RelaySetup setup, PollLoop loop) => (_setup, _loop) = (setup, loop);

    /// <summary>The address that clients connect to. If the setup specifies port 0, it has the port that the system chose.</summary>
    public abstract IPEndPoint EndPoint { get; }

    /// <summary>Switches the impairment on. Counts, random numbers and stalls start again. Can be called from any thread.</summary>
    /// <returns>A task that ends when the change is in effect for all traffic that is read from then on.</returns>
    /// <exception cref="BenchmarkException">The relay's thread has failed.</exception>
    public Task BeginAsync() => OnLoopAsync(() => Begin(Stopwatch.GetTimestamp()));

    /// <summary>
    /// Switches the impairment off. Traffic in flight still leaves at its time and is counted; a stall ends at once. Can be called from any thread.
    /// </summary>
    /// <returns>A task that ends when the change is in effect for all traffic that is read from then on.</returns>
    /// <exception cref="BenchmarkException">The relay's thread has failed.</exception>
    public Task EndAsync() => OnLoopAsync(() => End(Stopwatch.GetTimestamp()));

    /// <summary>
    /// Returns the counts since the last <see cref="BeginAsync"/>; all are 0 before it. Can be called from any thread, also after the end.
    /// </summary>
    /// <returns>The counts at one point in time.</returns>
    /// <exception cref="BenchmarkException">The relay's thread has failed.</exception>
    public async Task<RelayCounts> CountAsync()
    {
        RelayCounts? counts = null;
        await OnLoopAsync(() => counts = Count(Stopwatch.GetTimestamp())).ConfigureAwait(false);
        return counts!;
    }

    /// <summary>Closes all sockets and ends the thread. Traffic in flight is lost. A second call has no effect.</summary>
    /// <returns>A task that ends when the thread has ended.</returns>
    public async ValueTask DisposeAsync()
    {
        await _loop.StopAsync(_setup.Plan.StopDeadline).ConfigureAwait(false);
        _stopped = true;
        GC.SuppressFinalize(this);
    }

    private protected static T Start<T>(RelaySetup setup, Func<PollLoop, T> bind)
        where T : Relay
    {
        ArgumentNullException.ThrowIfNull(setup);
        var loop = new PollLoop("relay", setup.Recorder, servesClients: false);
        try
        {
            return bind(loop);
        }
        catch (SocketException exception)
        {
            // No socket was bound, so there is no need to wait for the empty loop to end.
            _ = loop.StopAsync(setup.Plan.StopDeadline);
            throw BindFailure.Explain(setup.EndPoint, exception);
        }
    }

    private protected abstract void Begin(long now);

    private protected abstract void End(long now);

    private protected abstract RelayCounts Count(long now);

    private async Task OnLoopAsync(Action action)
    {
        if (_stopped)
        {
            // The thread has ended, so its state is not accessed concurrently.
            action();
            return;
        }

        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _loop.Post(() =>
        {
            action();
            done.SetResult();
        });
        try
        {
            await done.Task.WaitAsync(_setup.Plan.StopDeadline).ConfigureAwait(false);
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException(
                FormattableString.Invariant($"The relay did not answer within {_setup.Plan.StopDeadline.TotalSeconds:0.#} s."), exception);
        }
    }
}
