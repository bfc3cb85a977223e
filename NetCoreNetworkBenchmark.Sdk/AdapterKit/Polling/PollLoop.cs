namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>
/// An event loop (reactor): one thread that serves many sockets. The thread sleeps in the kernel until a socket can be read or written, until a timer
/// or work is due, or until another thread posts an action. All objects that are added belong to this thread. Other threads reach it through
/// <see cref="Post"/> only. A loop with <see cref="Updates"/> reads sockets, does work and calls timers at these times instead.
/// </summary>
public sealed class PollLoop
{
    private const int WakeToken = -1;
    private readonly RunRecorder _recorder;
    private readonly TimeProvider _clock;
    private readonly IReadiness _readiness;

    // Between updates, only an action that another thread posts wakes the loop.
    private readonly (UpdateTimes Times, IReadiness Posts)? _updates;
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
    /// <param name="name">The name of the thread.</param>
    /// <param name="recorder">The recorder of the run.</param>
    /// <param name="servesClients">Whether the thread records latencies.</param>
    /// <param name="updateRate">The updates per second of a loop that works as a game's does; null for one that wakes when a socket is ready.</param>
    public PollLoop(string name, RunRecorder recorder, bool servesClients, int? updateRate = null)
        : this(
            name,
            recorder,
            servesClients,
            CreateReadiness(),
            () => OperatingSystem.IsLinux() ? new EventFdWakeUp() : new SocketWakeUp(),
            updateRate)
    {
    }

    internal PollLoop(
        string name, RunRecorder recorder, bool servesClients, IReadiness readiness, Func<IWakeUp> createWakeUp, int? updateRate = null)
    {
        _recorder = recorder;
        _clock = recorder.Clock;
        _readiness = readiness;
        _tickLength = RunRecorder.ToTicks(ClientSetup.TickInterval);
        _tick = new LoopTimer(Tick);
        try
        {
            Worker = recorder.AddWorker(servesClients);
            _wake = createWakeUp();
            _readiness.Add(_wake.Handle, WakeToken, Interest.Read);
            if (updateRate is { } rate)
            {
                IReadiness posts = CreateReadiness();
                _updates = (new UpdateTimes(_clock.GetTimestamp(), rate), posts);
                posts.Add(_wake.Handle, WakeToken, Interest.Read);
            }

            _thread = new Thread(Run) { Name = name, IsBackground = true };
            _thread.Start();
        }
        catch
        {
            _updates?.Posts.Dispose();
            _wake?.Dispose();
            _readiness.Dispose();
            throw;
        }
    }

    /// <summary>The times at which the loop reads its sockets; null if it does so whenever one is ready.</summary>
    internal UpdateTimes? Updates => _updates?.Times;

    /// <summary>The id of the thread as the system counts it; null before it runs, and if the system does not name it (Linux: proc_thread_self(5)).</summary>
    public int? ThreadId { get; private set; }

    /// <summary>The statistics of this loop's thread.</summary>
    public WorkerStatistics Worker { get; }

    /// <summary>Creates several loops. If one cannot be created, those before it end.</summary>
    public static PollLoop[] CreateAll(int count, Func<int, PollLoop> create)
    {
        var loops = new List<PollLoop>(count);
        try
        {
            while (loops.Count < count)
            {
                loops.Add(create(loops.Count));
            }

            return [.. loops];
        }
        catch
        {
            // They are empty, so it is not necessary to wait for their threads to end.
            loops.ForEach(loop => loop.BeginStop());
            throw;
        }
    }

    /// <summary>Starts to serve a pollable. On the loop's thread only.</summary>
    /// <param name="pollable">The pollable; the loop closes it when it ends, or now if it cannot serve it.</param>
    /// <param name="interest">The operations that it is watched for.</param>
    public void Add(IPollable pollable, Interest interest = Interest.Read)
    {
        int token = _pollables.Add(pollable);
        try
        {
            _readiness.Add(pollable.SocketHandle, token, interest);
        }
        catch
        {
            _pollables.Remove(pollable);
            pollable.Dispose();
            throw;
        }
    }

    /// <summary>Changes the operations that a pollable is watched for. Ignored if the loop does not serve the pollable. On the loop's thread only.</summary>
    public void Watch(IPollable pollable, Interest interest)
    {
        if (_pollables.TryFind(pollable, out int token))
        {
            _readiness.Change(pollable.SocketHandle, token, interest);
        }
    }

    /// <summary>Stops serving a pollable. Its socket must still be open. On the loop's thread only.</summary>
    /// <param name="pollable">The pollable; this method does not close it.</param>
    public void Remove(IPollable pollable)
    {
        if (_pollables.Remove(pollable))
        {
            _readiness.Remove(pollable.SocketHandle);
        }
    }

    /// <summary>Starts to call work when it is due. On the loop's thread only.</summary>
    public void Add(IDueWork work) => _dueWork.Add(work);

    /// <summary>Stops calling work. On the loop's thread only.</summary>
    /// <param name="work">The work; work that was not added is ignored, and so is null.</param>
    public void Remove(IDueWork? work) => _dueWork.Remove(work);

    /// <summary>Sets a timer, or changes the time of a timer that is set. On the loop's thread only.</summary>
    /// <param name="timer">The timer; it must not belong to another loop.</param>
    /// <param name="due">
    /// The time of the call, by the run's clock (<see cref="RunRecorder.Clock"/>). The call does not come earlier. It may come later by up to a
    /// millisecond or by the duration of the work for other sockets.
    /// </param>
    public void Set(LoopTimer timer, long due) => _timers.Set(timer, due);

    /// <summary>Cancels a timer. On the loop's thread only.</summary>
    /// <param name="timer">The timer; a timer that is not set is not changed.</param>
    public void Cancel(LoopTimer timer) => _timers.Cancel(timer);

    /// <summary>Runs an action on the loop's thread, soon. From any thread. After <see cref="StopAsync"/> it may not run.</summary>
    public void Post(Action action)
    {
        _posted.Enqueue(action);
        Wake();
    }

    /// <summary>Closes all pollables and ends the thread. A second call does nothing more.</summary>
    /// <param name="deadline">The longest time that the thread may take.</param>
    /// <returns>A task that completes when the thread has ended.</returns>
    /// <exception cref="BenchmarkException">The thread did not end before the deadline.</exception>
    public async Task StopAsync(TimeSpan deadline)
    {
        BeginStop();
        if (!await Task.Run(() => _thread.Join(deadline)).ConfigureAwait(false))
        {
            throw Deadline.Missed($"The thread '{_thread.Name}' did not end", deadline);
        }
    }

    private static IReadiness CreateReadiness() => OperatingSystem.IsLinux() ? new EpollReadiness() : new SelectReadiness();

    private void BeginStop()
    {
        if (Interlocked.Exchange(ref _stopping, 1) == 0)
        {
            Wake();
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
            // The loop has ended between the caller's check and this call: there is no thread left to wake.
            return;
        }
    }

    // The link is PID/task/TID.
    private static int? IdOfThisThread()
    {
        const string Link = "/proc/thread-self";
        return OperatingSystem.IsLinux() && int.TryParse(Path.GetFileName(new FileInfo(Link).LinkTarget), CultureInfo.InvariantCulture, out int id) ? id : null;
    }

    private void Run()
    {
        try
        {
            ThreadId = IdOfThisThread();
            if (_updates is { } updates)
            {
                ServeInUpdates(updates.Times, updates.Posts);
            }
            else
            {
                Serve();
            }
        }
        catch (Exception exception)
        {
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

                // Not only after all sockets: with a thousand ready sockets, the work would be late by as many turns.
                _dueWork.Run(Worker.Now);
            }

            if (!_dueWork.IsEmpty)
            {
                Worker.ReadClock();
                _dueWork.Run(Worker.Now);
            }

            _timers.Run(_clock.GetTimestamp());
        }
    }

    private void ServeInUpdates(UpdateTimes updates, IReadiness posts)
    {
        Span<Ready> ready = stackalloc Ready[1024];
        long now = _clock.GetTimestamp();
        long update = updates.AtOrAfter(now);
        _timers.Set(_tick, now + _tickLength);
        for (; Volatile.Read(ref _stopping) == 0; now = _clock.GetTimestamp())
        {
            if (now >= update)
            {
                Update(update, ready);
                update = updates.After(update, _clock.GetTimestamp());
            }
            else if (posts.WaitExactly(ready, RunRecorder.ToNanoseconds(update - now)) > 0)
            {
                RunPosted();
            }
        }
    }

    // All that has arrived is read before anything that is due is sent, so that the update does not read answers to what it sent.
    private void Update(long time, Span<Ready> ready)
    {
        while (Volatile.Read(ref _stopping) == 0 && _readiness.Wait(ready, 0) is > 0 and var count)
        {
            foreach (Ready socket in ready[..count])
            {
                ServeSocket(socket);
            }
        }

        while (Volatile.Read(ref _stopping) == 0 && _dueWork.NextDue(long.MaxValue) <= time)
        {
            Worker.ReadClock();
            _dueWork.Run(Worker.Now);
        }

        _timers.Run(_clock.GetTimestamp());
    }

    // A slot that was freed and reused within one turn is served for the readiness of its former pollable. The new pollable finds nothing to do.
    private void ServeSocket(Ready socket)
    {
        if (socket.Token == WakeToken)
        {
            RunPosted();
            return;
        }

        if ((socket.Possible & Interest.Write) != 0 && _pollables.Slots[socket.Token] is { } writable)
        {
            Worker.ReadClock();
            writable.OnWritable();
        }

        if ((socket.Possible & Interest.Read) != 0 && _pollables.Slots[socket.Token] is { } pollable)
        {
            pollable.OnReadable();
        }
    }

    private int MillisecondsToTimer()
    {
        // The tick timer is always set, so there is always a next timer.
        long ticks = _timers.NextDue - _clock.GetTimestamp();
        return ticks <= 0 ? 0 : (int)Math.Ceiling(ticks * 1000.0 / Stopwatch.Frequency);
    }

    private long NanosecondsToNextDue() => RunRecorder.ToNanoseconds(_dueWork.NextDue(_timers.NextDue) - _clock.GetTimestamp());

    private void RunPosted()
    {
        _wake.TakeSignals();
        Worker.ReadClock();

        // Actions that are posted by these actions have signalled again. They wait until the loop has looked at the sockets.
        for (int count = _posted.Count; count > 0 && _posted.TryDequeue(out Action? action); count--)
        {
            action();
        }
    }

    private void Tick()
    {
        Worker.ReadClock();
        IReadOnlyList<IPollable?> slots = _pollables.Slots;
        for (int index = 0; index < slots.Count; index++)
        {
            slots[index]?.OnTick();
        }

        _timers.Set(_tick, _clock.GetTimestamp() + _tickLength);
    }

    private void CloseAll()
    {
        foreach (IPollable pollable in _pollables.Slots.OfType<IPollable>().ToArray())
        {
            // After a failure, the other pollables still have sockets to close and closing messages to send.
            _recorder.Guard(pollable, static open => open.Dispose());
        }

        Interlocked.Exchange(ref _stopping, 1);
        _dueWork.Clear();
        _readiness.Dispose();
        _updates?.Posts.Dispose();
        _wake.Dispose();
    }
}
