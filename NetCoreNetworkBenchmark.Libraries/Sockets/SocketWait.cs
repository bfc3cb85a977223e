namespace NetCoreNetworkBenchmark.Libraries.Sockets;

internal sealed class SocketWait : IDisposable
{
    private const int SocketToken = 0;
    private const int SignalToken = 1;

    private readonly IReadiness _readiness = OperatingSystem.IsLinux() ? new EpollReadiness() : new SelectReadiness();
    private readonly IWakeUp _wake = OperatingSystem.IsLinux() ? new EventFdWakeUp() : new SocketWakeUp();
    private readonly Lock _ending = new();
    private bool _ended;

    public SocketWait(Socket socket)
    {
        _readiness.Add(socket.Handle, SocketToken, Interest.Read);
        _readiness.Add(_wake.Handle, SignalToken, Interest.Read);
    }

    // From any thread, also after the disposal.
    public void Signal()
    {
        lock (_ending)
        {
            if (!_ended)
            {
                _wake.Signal();
            }
        }
    }

    public bool IsReadable(int milliseconds)
    {
        Span<Ready> ready = stackalloc Ready[2];
        bool readable = false;
        foreach (Ready source in ready[.._readiness.Wait(ready, milliseconds)])
        {
            if (source.Token == SignalToken)
            {
                _wake.TakeSignals();
            }
            else
            {
                readable = true;
            }
        }

        return readable;
    }

    public void Dispose()
    {
        lock (_ending)
        {
            _ended = true;
            _wake.Dispose();
        }

        _readiness.Dispose();
    }
}
