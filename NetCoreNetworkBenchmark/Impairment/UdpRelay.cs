using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// Carries datagrams between clients and a server, both ways, and impairs them as a plan says. Every client gets a socket of its own
/// towards the server, so that the server still tells them apart. One thread does all of it and never blocks.
/// <para>
/// Delay, jitter and bandwidth act from the start. Loss, duplicates, reordering, corruption and stalls act, and everything counts,
/// between <see cref="BeginAsync"/> and <see cref="EndAsync"/>: what comes before or after them is only carried.
/// </para>
/// </summary>
public sealed class UdpRelay : IAsyncDisposable
{
    private readonly RelaySetup _setup;
    private readonly PollLoop _loop;
    private readonly Traffic _traffic;
    private readonly RelayListener _listener;
    private bool _stopped;

    private UdpRelay(RelaySetup setup, PollLoop loop)
    {
        _setup = setup;
        _loop = loop;
        _traffic = new Traffic(setup.Impairment);
        _listener = new RelayListener(setup, loop, _traffic);
        EndPoint = _listener.EndPoint;
        _loop.Post(() =>
        {
            _loop.Add(_listener);
            _loop.Add(_traffic.Departures);
            _loop.Add(_traffic.Holds);
        });
    }

    /// <summary>Where clients connect to, with the port that the system chose where the setup asked for port 0.</summary>
    public IPEndPoint EndPoint { get; }

    /// <summary>Binds a relay and starts its thread.</summary>
    /// <param name="setup">From where to where, and what happens on the way.</param>
    /// <returns>The running relay, switched off.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound.</exception>
    public static UdpRelay Start(RelaySetup setup)
    {
        ArgumentNullException.ThrowIfNull(setup);
        var loop = new PollLoop("relay", setup.Recorder, servesClients: false);
        try
        {
            return new UdpRelay(setup, loop);
        }
        catch (SocketException exception)
        {
            // Nothing was bound, so nobody needs to wait for the empty loop to end.
            _ = loop.StopAsync(setup.Plan.StopDeadline);
            throw BindFailure.Explain(setup.EndPoint, exception);
        }
    }

    /// <summary>Switches the impairment on. Counts, fates and stalls begin anew. From any thread.</summary>
    /// <returns>A task that ends when it is in force: for every datagram that is read from then on.</returns>
    /// <exception cref="BenchmarkException">The relay's thread has broken down.</exception>
    public Task BeginAsync() => OnLoopAsync(() => _traffic.Begin(Stopwatch.GetTimestamp()));

    /// <summary>
    /// Switches the impairment off. Datagrams under way still leave at their time and count; a stall ends at once. From any thread.
    /// </summary>
    /// <returns>A task that ends when it is in force: for every datagram that is read from then on.</returns>
    /// <exception cref="BenchmarkException">The relay's thread has broken down.</exception>
    public Task EndAsync() => OnLoopAsync(() => _traffic.End(Stopwatch.GetTimestamp()));

    /// <summary>Counts what was done since the last <see cref="BeginAsync"/>; all 0 before it. From any thread, also after the end.</summary>
    /// <returns>The counts of one moment.</returns>
    /// <exception cref="BenchmarkException">The relay's thread has broken down.</exception>
    public async Task<RelayCounts> CountAsync()
    {
        RelayCounts? counts = null;
        await OnLoopAsync(() => counts = Count()).ConfigureAwait(false);
        return counts!;
    }

    /// <summary>Closes all sockets and ends the thread; what is under way is lost. A second call does nothing more.</summary>
    /// <returns>A task that ends when the thread has.</returns>
    public async ValueTask DisposeAsync()
    {
        await _loop.StopAsync(_setup.Plan.StopDeadline).ConfigureAwait(false);
        _stopped = true;
    }

    private RelayCounts Count() => new(
        _traffic.ToServer.Count(_listener.Missed),
        _traffic.ToClients.Count(_listener.MissedFromServer),
        _traffic.Departures.Stalls.CountAt(Stopwatch.GetTimestamp()),
        _listener.Clients);

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
