using System.ComponentModel;
using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>Readiness by Linux's epoll: the cost of a wait grows with the sockets that are ready, not with those that are watched.</summary>
internal sealed unsafe class EpollReadiness : IReadiness
{
    private const int MostEvents = 1024;
    private readonly int _epoll;
    private byte* _events;

    public EpollReadiness()
    {
        _epoll = SysEpoll.epoll_create1(SysEpoll.EPOLL_CLOEXEC);
        ThrowIfFailed(_epoll, "epoll_create1");
        _events = (byte*)NativeMemory.Alloc((nuint)(MostEvents * SysEpoll.EventSize));
    }

    public void Add(nint socket, int token)
    {
        byte* entry = stackalloc byte[16];
        *(uint*)entry = SysEpoll.EPOLLIN;
        Marshal.WriteInt64((nint)(entry + SysEpoll.DataOffset), token);
        ThrowIfFailed(SysEpoll.epoll_ctl(_epoll, SysEpoll.EPOLL_CTL_ADD, (int)socket, entry), "epoll_ctl");
    }

    public void Remove(nint socket)
    {
        byte* entry = stackalloc byte[16];
        ThrowIfFailed(SysEpoll.epoll_ctl(_epoll, SysEpoll.EPOLL_CTL_DEL, (int)socket, entry), "epoll_ctl");
    }

    public int Wait(Span<int> tokens, int timeout)
    {
        int count = SysEpoll.epoll_wait(_epoll, _events, Math.Min(tokens.Length, MostEvents), timeout);
        if (count < 0)
        {
            int error = Marshal.GetLastPInvokeError();
            return error == SysEpoll.EINTR ? 0 : throw new Win32Exception(error, $"epoll_wait failed: {Marshal.GetPInvokeErrorMessage(error)}");
        }

        for (int index = 0; index < count; index++)
        {
            tokens[index] = (int)Marshal.ReadInt64((nint)(_events + (index * SysEpoll.EventSize) + SysEpoll.DataOffset));
        }

        return count;
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

    private static void ThrowIfFailed(int result, string call)
    {
        if (result < 0)
        {
            int error = Marshal.GetLastPInvokeError();
            throw new Win32Exception(error, $"{call} failed: {Marshal.GetPInvokeErrorMessage(error)}");
        }
    }
}
