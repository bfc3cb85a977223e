namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>Readiness by Linux's epoll. The cost of a wait grows with the number of ready sockets, not with the number of watched sockets.</summary>
public sealed unsafe class EpollReadiness : IReadiness
{
    private const int MaxEvents = 1024;
    private const long NanosecondsPerSecond = 1_000_000_000;
    private const long NanosecondsPerMillisecond = 1_000_000;
    private const long LargestMargin = NanosecondsPerMillisecond / 2;
    private readonly int _epoll;
    private byte* _events;
    private bool _countsNanoseconds;

    /// <summary>Opens the epoll instance. Not every system supports the exact wait.</summary>
    public EpollReadiness(bool countsNanoseconds = true)
    {
        _countsNanoseconds = countsNanoseconds;
        _epoll = SysEpoll.epoll_create1(SysEpoll.EPOLL_CLOEXEC);
        SystemCall.ThrowIfFailed(_epoll, "epoll_create1");
        _events = (byte*)NativeMemory.Alloc((nuint)(MaxEvents * SysEpoll.EventSize));
    }

    /// <inheritdoc/>
    public void Add(nint socket, int token, Interest interest) => Control(SysEpoll.EPOLL_CTL_ADD, socket, token, interest);

    /// <inheritdoc/>
    public void Change(nint socket, int token, Interest interest) => Control(SysEpoll.EPOLL_CTL_MOD, socket, token, interest);

    /// <inheritdoc/>
    public void Remove(nint socket) => Control(SysEpoll.EPOLL_CTL_DEL, socket, 0, Interest.None);

    /// <inheritdoc/>
    public int Wait(Span<Ready> ready, int timeout)
    {
        int count = SysEpoll.epoll_wait(_epoll, _events, Math.Min(ready.Length, MaxEvents), timeout);
        return count >= 0 ? Report(ready, count) : NothingIfInterrupted("epoll_wait");
    }

    /// <inheritdoc/>
    public int WaitExactly(Span<Ready> ready, long nanoseconds)
    {
        long wait = Math.Max(nanoseconds, 0);
        if (!_countsNanoseconds)
        {
            return Wait(ready, (int)Math.Min(wait / NanosecondsPerMillisecond, int.MaxValue));
        }

        try
        {
            SysTime.TimeSpec timeout = ToTimespec(wait - Margin(wait));
            int count = SysEpoll.epoll_pwait2(_epoll, _events, Math.Min(ready.Length, MaxEvents), in timeout, null);
            if (count >= 0)
            {
                return Report(ready, count);
            }

            // A sandbox that does not know the call refuses it with EPERM, which the call itself never returns.
            _countsNanoseconds = Marshal.GetLastPInvokeError() is not (SysEpoll.ENOSYS or SysEpoll.EPERM);
        }
        catch (EntryPointNotFoundException)
        {
            _countsNanoseconds = false;
        }

        return _countsNanoseconds ? NothingIfInterrupted("epoll_pwait2") : WaitExactly(ready, nanoseconds);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_events is not null)
        {
            NativeMemory.Free(_events);
            _events = null;
            _ = SysEpoll.close(_epoll);
        }
    }

    private void Control(int operation, nint socket, int token, Interest interest)
    {
        byte* entry = stackalloc byte[16];
        *(uint*)entry = ((interest & Interest.Read) != 0 ? SysEpoll.EPOLLIN : 0) | ((interest & Interest.Write) != 0 ? SysEpoll.EPOLLOUT : 0);
        Marshal.WriteInt64((nint)(entry + SysEpoll.DataOffset), token);
        SystemCall.ThrowIfFailed(SysEpoll.epoll_ctl(_epoll, operation, (int)socket, entry), "epoll_ctl");
    }

    private static Interest PossibleBy(uint events) => (events & (SysEpoll.EPOLLERR | SysEpoll.EPOLLHUP)) != 0
        ? Interest.Read | Interest.Write
        : ((events & SysEpoll.EPOLLIN) != 0 ? Interest.Read : Interest.None) | ((events & SysEpoll.EPOLLOUT) != 0 ? Interest.Write : Interest.None);

    private int Report(Span<Ready> ready, int count)
    {
        for (int index = 0; index < count; index++)
        {
            byte* entry = _events + (index * SysEpoll.EventSize);
            ready[index] = new Ready((int)Marshal.ReadInt64((nint)(entry + SysEpoll.DataOffset)), PossibleBy(*(uint*)entry));
        }

        return count;
    }

    // The kernel may end a wait late by a thousandth of its length, whatever the timer slack (__estimate_accuracy of fs/select.c). So a long wait
    // ends early by twice that, and the caller waits once more for the short rest.
    private static long Margin(long nanoseconds) => nanoseconds > NanosecondsPerMillisecond ? Math.Min(nanoseconds / 500, LargestMargin) : 0;

    private static SysTime.TimeSpec ToTimespec(long nanoseconds) =>
        new() { tv_sec = (nint)(nanoseconds / NanosecondsPerSecond), tv_nsec = (nint)(nanoseconds % NanosecondsPerSecond) };

    private static int NothingIfInterrupted(string call)
    {
        if (Marshal.GetLastPInvokeError() != SysEpoll.EINTR)
        {
            SystemCall.ThrowIfFailed(-1, call);
        }

        return 0;
    }
}
