using System.Collections.Concurrent;
using System.Diagnostics;

namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>
/// The reactor: one thread that serves many sockets. It sleeps in the kernel until one can be read or written, until a timer or work is due, or until
/// another thread posts something.
/// Everything that is added belongs to this thread; other threads reach it through <see cref="Post"/> only.
/// </summary>
public sealed class PollLoop
{
    private const int WakeToken = -1;
    private readonly RunRecorder _recorder;
    private readonly TimeProvider _clock;
    private readonly IReadiness _readiness;
    private readonly IWakeUp _wake;
    private readonly ConcurrentQueue<Action> _posted = new();
    private readonly PollableTable _pollables = new();
    private readonly DueWorkList _dueWork = new();
    private readonly Thread _thread;
    private readonly TimerHeap _timers = new();
    private readonly LoopTimer _tick;
    private readonly long _tickLength;
    private int _stopping;

    /// <summary>Starts the thread.</summary>
    /// <param name="name">The thread's name.</param>
    /// <param name="recorder">Where the thread's statistics and faults go.</param>
    /// <param name="servesClients">Whether it records latencies.</param>
    public PollLoop(string name, RunRecorder recorder, bool servesClients)
    {
        _recorder = recorder;
        _clock = recorder.Clock;
        Worker = recorder.AddWorker(servesClients);
        _readiness = OperatingSystem.IsLinux() ? new EpollReadiness() : new SelectReadiness();
        _wake = OperatingSystem.IsLinux() ? new EventFdWakeUp() : new SocketWakeUp();
        _readiness.Add(_wake.Handle, WakeToken, Interest.Read);
        _tickLength = (long)(ClientSetup.TickInterval.TotalSeconds * Stopwatch.Frequency);
        _tick = new LoopTimer(Tick);
        _thread = new Thread(Run) { Name = name, IsBackground = true };
        _thread.Start();
    }

    /// <summary>The statistics of this loop's thread.</summary>
    public WorkerStatistics Worker { get; }

    /// <summary>Begins to serve a pollable, which is watched for something to read. On the loop's thread only.</summary>
    /// <param name="pollable">The pollable; the loop closes it when it ends.</param>
    public void Add(IPollable pollable)
    {
        int token = _pollables.Add(pollable);
        try
        {
            _readiness.Add(pollable.SocketHandle, token, Interest.Read);
        }
        catch
        {
            _pollables.Remove(pollable);
            throw;
        }
    }

    /// <summary>Watches a pollable for something else from now on. On the loop's thread only.</summary>
    /// <param name="pollable">A pollable that was added; one that is not, or no longer, is passed over.</param>
    /// <param name="interest">What it is watched for.</param>
    public void Watch(IWritablePollable pollable, Interest interest)
    {
        if (_pollables.TryFind(pollable, out int token))
        {
            _readiness.Change(pollable.SocketHandle, token, interest);
        }
    }

    /// <summary>Ends serving a pollable, whose socket must still be open. On the loop's thread only.</summary>
    /// <param name="pollable">The pollable; it is not closed by this.</param>
    public void Remove(IPollable pollable)
    {
        if (_pollables.Remove(pollable))
        {
            _readiness.Remove(pollable.SocketHandle);
        }
    }

    /// <summary>Begins to call work when it is due. On the loop's thread only.</summary>
    /// <param name="work">The work.</param>
    public void Add(IDueWork work) => _dueWork.Add(work);

    /// <summary>Ends calling work. On the loop's thread only.</summary>
    /// <param name="work">The work; one that was not added does no harm.</param>
    public void Remove(IDueWork work) => _dueWork.Remove(work);

    /// <summary>Sets a timer, or sets it to another time. On the loop's thread only.</summary>
    /// <param name="timer">The timer, of no other loop.</param>
    /// <param name="due">When it calls, by the run's clock (<see cref="RunRecorder.Clock"/>): not before, and up to a millisecond or the work of the other sockets later.</param>
    public void Set(LoopTimer timer, long due) => _timers.Set(timer, due);

    /// <summary>Takes a timer back. On the loop's thread only.</summary>
    /// <param name="timer">The timer; one that is not set is left as it is.</param>
    public void Cancel(LoopTimer timer) => _timers.Cancel(timer);

    /// <summary>Runs an action on the loop's thread, soon. From any thread. After <see cref="StopAsync"/> it may not run.</summary>
    /// <param name="action">The action.</param>
    public void Post(Action action)
    {
        _posted.Enqueue(action);
        Wake();
    }

    /// <summary>Closes all pollables and ends the thread. A second call does nothing more.</summary>
    /// <param name="deadline">How long the thread has.</param>
    /// <returns>A task that ends when the thread has.</returns>
    /// <exception cref="BenchmarkException">The thread did not end before the deadline.</exception>
    public async Task StopAsync(TimeSpan deadline)
    {
        if (Interlocked.Exchange(ref _stopping, 1) == 0)
        {
            Wake();
        }

        if (!await Task.Run(() => _thread.Join(deadline)).ConfigureAwait(false))
        {
            throw new BenchmarkException($"The thread '{_thread.Name}' did not end within {deadline.TotalSeconds:0.#} s.");
        }
    }

    private void Wake()
    {
        try
        {
            _wake.Signal();
        }
        catch (ObjectDisposedException) when (Volatile.Read(ref _stopping) != 0)
        {
            // The loop has ended between the caller's look and this call: nobody is left to be woken.
            return;
        }
    }

    private void Run()
    {
        try
        {
            Serve();
        }
        catch (Exception exception)
        {
            // A thread of the run must not take the process down: the runner ends the run with this as its reason.
            _recorder.ReportFault(exception);
        }
        finally
        {
            CloseAll();
        }
    }

    private void Serve()
    {
        Span<Ready> ready = stackalloc Ready[1024];
        _timers.Set(_tick, _clock.GetTimestamp() + _tickLength);
        while (Volatile.Read(ref _stopping) == 0)
        {
            int count = _dueWork.IsEmpty
                ? _readiness.Wait(ready, MillisecondsToTimer())
                : _readiness.WaitExactly(ready, NanosecondsToNextDue());
            foreach (Ready socket in ready[..count])
            {
                ServeSocket(socket);
            }

            if (!_dueWork.IsEmpty)
            {
                Worker.ReadClock();
                _dueWork.Run(Worker.Now);
            }

            _timers.Run(_clock.GetTimestamp());
        }
    }

    // A place that was freed and taken again within one turn is served for what the one before it was ready for, which does no harm:
    // whoever stands there finds nothing.
    private void ServeSocket(Ready socket)
    {
        if (socket.Token == WakeToken)
        {
            RunPosted();
            return;
        }

        Worker.ReadClock();
        if ((socket.Possible & Interest.Write) != 0 && _pollables.Places[socket.Token] is IWritablePollable writable)
        {
            writable.OnWritable();
        }

        if ((socket.Possible & Interest.Read) != 0 && _pollables.Places[socket.Token] is { } pollable)
        {
            pollable.OnReadable();
        }

        // Not only after all sockets: a thousand that are ready would make it late by as many turns.
        _dueWork.Run(Worker.Now);
    }

    private int MillisecondsToTimer()
    {
        // The tick is always set, so there is a next timer.
        long ticks = _timers.NextDue - _clock.GetTimestamp();
        return ticks <= 0 ? 0 : (int)Math.Ceiling(ticks * 1000.0 / Stopwatch.Frequency);
    }

    private long NanosecondsToNextDue() => RunRecorder.ToNanoseconds(_dueWork.NextDue(_timers.NextDue) - _clock.GetTimestamp());

    private void RunPosted()
    {
        _wake.TakeSignals();
        Worker.ReadClock();

        // What these post in their turn has signalled again, and waits until the sockets were looked at.
        for (int count = _posted.Count; count > 0 && _posted.TryDequeue(out Action? action); count--)
        {
            action();
        }
    }

    private void Tick()
    {
        Worker.ReadClock();
        IReadOnlyList<IPollable?> places = _pollables.Places;
        for (int index = 0; index < places.Count; index++)
        {
            places[index]?.OnTick();
        }

        _timers.Set(_tick, _clock.GetTimestamp() + _tickLength);
    }

    private void CloseAll()
    {
        foreach (IPollable pollable in _pollables.Places.OfType<IPollable>().ToArray())
        {
            Close(pollable);
        }

        Interlocked.Exchange(ref _stopping, 1);
        _readiness.Dispose();
        _wake.Dispose();
    }

    private void Close(IPollable pollable)
    {
        try
        {
            pollable.Dispose();
        }
        catch (Exception exception)
        {
            // The others still have sockets to close and goodbyes to send.
            _recorder.ReportFault(exception);
        }
    }
}
