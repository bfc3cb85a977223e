using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>Readiness by Linux's epoll: the cost of a wait grows with the sockets that are ready, not with those that are watched.</summary>
internal sealed unsafe class EpollReadiness : IReadiness
{
    private const int MostEvents = 1024;
    private const long NanosecondsASecond = 1_000_000_000;
    private const long NanosecondsAMillisecond = 1_000_000;
    private const long LargestMargin = NanosecondsAMillisecond / 2;
    private readonly int _epoll;
    private byte* _events;
    private bool _countsNanoseconds;

    /// <summary>Opens the instance.</summary>
    /// <param name="countsNanoseconds">Whether to try the exact wait, which not every system has.</param>
    public EpollReadiness(bool countsNanoseconds = true)
    {
        _countsNanoseconds = countsNanoseconds;
        _epoll = SysEpoll.epoll_create1(SysEpoll.EPOLL_CLOEXEC);
        SystemCall.ThrowIfFailed(_epoll, "epoll_create1");
        _events = (byte*)NativeMemory.Alloc((nuint)(MostEvents * SysEpoll.EventSize));
    }

    public void Add(nint socket, int token)
    {
        byte* entry = stackalloc byte[16];
        *(uint*)entry = SysEpoll.EPOLLIN;
        Marshal.WriteInt64((nint)(entry + SysEpoll.DataOffset), token);
        SystemCall.ThrowIfFailed(SysEpoll.epoll_ctl(_epoll, SysEpoll.EPOLL_CTL_ADD, (int)socket, entry), "epoll_ctl");
    }

    public void Remove(nint socket)
    {
        byte* entry = stackalloc byte[16];
        SystemCall.ThrowIfFailed(SysEpoll.epoll_ctl(_epoll, SysEpoll.EPOLL_CTL_DEL, (int)socket, entry), "epoll_ctl");
    }

    public int Wait(Span<int> tokens, int timeout)
    {
        int count = SysEpoll.epoll_wait(_epoll, _events, Math.Min(tokens.Length, MostEvents), timeout);
        return count >= 0 ? Report(tokens, count) : NothingIfInterrupted("epoll_wait");
    }

    public int WaitExactly(Span<int> tokens, long nanoseconds)
    {
        long wait = Math.Max(nanoseconds, 0);
        if (!_countsNanoseconds)
        {
            return Wait(tokens, (int)Math.Min(wait / NanosecondsAMillisecond, int.MaxValue));
        }

        try
        {
            SysEpoll.Timespec timeout = ToTimespec(wait - Margin(wait));
            int count = SysEpoll.epoll_pwait2(_epoll, _events, Math.Min(tokens.Length, MostEvents), in timeout, null);
            if (count >= 0)
            {
                return Report(tokens, count);
            }

            // A sandbox that does not know the call refuses it with EPERM, which the call itself never gives.
            _countsNanoseconds = Marshal.GetLastPInvokeError() is not (SysEpoll.ENOSYS or SysEpoll.EPERM);
        }
        catch (EntryPointNotFoundException)
        {
            _countsNanoseconds = false;
        }

        return _countsNanoseconds ? NothingIfInterrupted("epoll_pwait2") : WaitExactly(tokens, nanoseconds);
    }

    public void Dispose()
    {
        if (_events is not null)
        {
            NativeMemory.Free(_events);
            _events = null;
            _ = SysEpoll.close(_epoll);
        }
    }

    private int Report(Span<int> tokens, int count)
    {
        for (int index = 0; index < count; index++)
        {
            tokens[index] = (int)Marshal.ReadInt64((nint)(_events + (index * SysEpoll.EventSize) + SysEpoll.DataOffset));
        }

        return count;
    }

    // The kernel takes the liberty to end a wait late by a thousandth of it, whatever the timer slack (__estimate_accuracy of
    // fs/select.c). So a long wait ends early by twice that, and the caller waits once more for the short rest.
    private static long Margin(long nanoseconds) => nanoseconds > NanosecondsAMillisecond ? Math.Min(nanoseconds / 500, LargestMargin) : 0;

    private static SysEpoll.Timespec ToTimespec(long nanoseconds) =>
        new() { tv_sec = (nint)(nanoseconds / NanosecondsASecond), tv_nsec = (nint)(nanoseconds % NanosecondsASecond) };

    private static int NothingIfInterrupted(string call)
    {
        if (Marshal.GetLastPInvokeError() != SysEpoll.EINTR)
        {
            SystemCall.ThrowIfFailed(-1, call);
        }

        return 0;
    }
}
