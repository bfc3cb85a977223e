using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// Carries traffic between clients and a server, both ways, and impairs it as a plan says. The server still tells the clients apart. One
/// thread does all of it and never blocks.
/// <para>
/// Delay, jitter and bandwidth act from the start. The rest acts, and everything counts, between <see cref="BeginAsync"/> and
/// <see cref="EndAsync"/>: what comes before or after them is only carried.
/// </para>
/// </summary>
public abstract class Relay : IAsyncDisposable
{
    private readonly RelaySetup _setup;
    private readonly PollLoop _loop;
    private bool _stopped;

    private protected Relay(RelaySetup setup, PollLoop loop) => (_setup, _loop) = (setup, loop);

    /// <summary>Where clients connect to, with the port that the system chose where the setup asked for port 0.</summary>
    public abstract IPEndPoint EndPoint { get; }

    /// <summary>Switches the impairment on. Counts, fates and stalls begin anew. From any thread.</summary>
    /// <returns>A task that ends when it is in force: for everything that is read from then on.</returns>
    /// <exception cref="BenchmarkException">The relay's thread has broken down.</exception>
    public Task BeginAsync() => OnLoopAsync(() => Begin(Stopwatch.GetTimestamp()));

    /// <summary>
    /// Switches the impairment off. What is under way still leaves at its time and counts; a stall ends at once. From any thread.
    /// </summary>
    /// <returns>A task that ends when it is in force: for everything that is read from then on.</returns>
    /// <exception cref="BenchmarkException">The relay's thread has broken down.</exception>
    public Task EndAsync() => OnLoopAsync(() => End(Stopwatch.GetTimestamp()));

    /// <summary>Counts what was done since the last <see cref="BeginAsync"/>; all 0 before it. From any thread, also after the end.</summary>
    /// <returns>The counts of one moment.</returns>
    /// <exception cref="BenchmarkException">The relay's thread has broken down.</exception>
    public async Task<RelayCounts> CountAsync()
    {
        RelayCounts? counts = null;
        await OnLoopAsync(() => counts = Count(Stopwatch.GetTimestamp())).ConfigureAwait(false);
        return counts!;
    }

    /// <summary>Closes all sockets and ends the thread; what is under way is lost. A second call does nothing more.</summary>
    /// <returns>A task that ends when the thread has.</returns>
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
            // Nothing was bound, so nobody needs to wait for the empty loop to end.
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
            // The thread has ended, so nobody else looks at its things.
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
