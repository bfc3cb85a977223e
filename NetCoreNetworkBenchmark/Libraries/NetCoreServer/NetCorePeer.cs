using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>
/// One side of a stream as the workload sees it, for each of the library's kinds of endpoint. The library calls back from the thread pool for received and for
/// sent bytes at the same time; this class makes the calls serial. Each message is passed to the library by itself, or all messages that were sent within a
/// call of the workload are passed at its end (<see cref="StreamSending"/>).
/// </summary>
/// <param name="plan">The plan of the run.</param>
/// <param name="recorder">The recorder of statistics and errors.</param>
/// <param name="handler">The handler that is called.</param>
/// <param name="endpoint">The library's end of the connection.</param>
/// <param name="isServer">Whether it is the server's end of the connection.</param>
internal sealed class NetCorePeer(RunPlan plan, RunRecorder recorder, IPeerHandler handler, INetCoreEndpoint endpoint, bool isServer)
    : IPeer, IThreadPoolWorkItem
{
    /// <summary>Bytes that the library may hold for a peer before it is congested: as many as an outbox holds. The library has no bound of its own.</summary>
    public const int MostUnsent = 64 * 1024;

    private readonly string _side = isServer ? "server" : "client";
    private readonly bool _sendsEachMessage = StreamSendSetting.SendsEachMessage(plan, isServer);
    private readonly StreamFramer _framer = new(plan);
    private readonly Outbox _outbox = new(plan);

    // Makes the calls for this peer serial. It is taken once for the bytes of one receive call, not for each message.
    private readonly Lock _calls = new();
    private volatile bool _connected;
    private bool _closed;
    private bool _isInCall;
    private bool _endsAfterCall;
    private bool _refused;
    private int _sentInTurn;
    private volatile bool _sawCongestion;
    private int _woken;

    public object? State { get; set; }

    public bool IsConnected => _connected;

    public bool IsCongested
    {
        get
        {
            // The library may send each message at once and never hold any. A turn ends nevertheless, like that of a datagram server's peer.
            bool congested = _outbox.IsFull || endpoint.Unsent >= MostUnsent || _sentInTurn >= SendRoundRobin.Budget;
            _sawCongestion |= congested;
            return congested;
        }
    }

    public bool Send(ReadOnlySpan<byte> message)
    {
        if (_closed || !_outbox.TryAdd(message))
        {
            recorder.CountError($"{_side} {(_closed ? SocketError.NotConnected : SocketError.MessageSize)}");
            return false;
        }

        if (_sendsEachMessage)
        {
            _sentInTurn++;
            HandOver();
        }

        return !_refused;
    }

    public void Wake()
    {
        if (Interlocked.Exchange(ref _woken, 1) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    public void Close()
    {
        lock (_calls)
        {
            Flush();
            endpoint.Disconnect();
        }
    }

    /// <summary>Called when the library has connected. It may report this after it has received something.</summary>
    public void OnConnected()
    {
        if (!_connected)
        {
            Call(static (_, _) => { });
        }
    }

    /// <summary>Handles the bytes of one receive call.</summary>
    public void OnReceived(ReadOnlySpan<byte> bytes)
    {
        try
        {
            lock (_calls)
            {
                WorkerStatistics worker = Enter();
                while (!_closed && _framer.TryTake(ref bytes, out ReadOnlySpan<byte> message))
                {
                    handler.OnMessage(this, message, worker);
                }

                if (_framer.Violation is { } violation)
                {
                    recorder.CountError($"{_side} {violation}");
                    endpoint.Disconnect();
                }

                Flush();
            }
        }
        catch (Exception exception)
        {
            // An exception on a pool thread must not end the process: the runner ends the run with this exception as the reason.
            recorder.ReportFault(exception);
        }
    }

    /// <summary>Called when the system has accepted all bytes that the library held.</summary>
    public void OnEmpty()
    {
        if (_sawCongestion)
        {
            Wake();
        }
    }

    /// <summary>Called when the library has ended the connection.</summary>
    public void OnDisconnected()
    {
        // The library may hold its lock of this connection here, and a call of the workload on another thread may wait for that lock.
        if (!_calls.TryEnter())
        {
            ThreadPool.UnsafeQueueUserWorkItem(WaitAndEnd, this, preferLocal: false);
            return;
        }

        try
        {
            // A send that fails ends the connection within the workload's call, which must complete first.
            _endsAfterCall = _isInCall;
            if (!_isInCall)
            {
                End();
            }
        }
        finally
        {
            _calls.Exit();
        }
    }

    /// <summary>Calls the workload for this peer, and sends the messages that it queued. Does nothing once the connection has ended.</summary>
    public void Call(Action<IPeer, WorkerStatistics> call) => Call(static (peer, made, worker) => made(peer, worker), call);

    /// <summary>Calls the workload with an additional argument.</summary>
    public void Call<T>(Action<IPeer, T, WorkerStatistics> call, T argument)
    {
        try
        {
            lock (_calls)
            {
                if (!_closed)
                {
                    call(this, argument, Enter());
                    Flush();
                }
            }
        }
        catch (Exception exception)
        {
            recorder.ReportFault(exception);
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        // Before the call: a request within it then leads to another call.
        Volatile.Write(ref _woken, 0);
        _sawCongestion = false;
        Call(handler.OnWritable);
    }

    private static void WaitAndEnd(NetCorePeer peer)
    {
        lock (peer._calls)
        {
            peer.End();
        }
    }

    private void End()
    {
        try
        {
            if (!_closed)
            {
                _closed = true;
                if (_framer.HasPart)
                {
                    recorder.CountError($"{_side} got part of a message");
                }

                if (_connected)
                {
                    handler.OnClosed(this, recorder.ForCurrentThread());
                }
            }
        }
        catch (Exception exception)
        {
            recorder.ReportFault(exception);
        }
    }

    private WorkerStatistics Enter()
    {
        _isInCall = true;
        WorkerStatistics worker = recorder.ForCurrentThread();
        worker.ReadClock();
        if (!_connected)
        {
            _connected = true;
            handler.OnConnected(this, worker);
        }

        return worker;
    }

    // At the end of every call of the workload.
    private void Flush()
    {
        HandOver();
        (_isInCall, _sentInTurn) = (false, 0);
        if (_endsAfterCall)
        {
            End();
        }
        else if (_refused)
        {
            // The library's bound is reached, or the connection is ending. The library cannot accept a part, so the stream is broken.
            endpoint.Disconnect();
        }
        else if (_sawCongestion)
        {
            // Before the check: if the library has sent everything after it, it then sees that the workload waits.
            Interlocked.MemoryBarrier();
            if (endpoint.Unsent < MostUnsent)
            {
                Wake();
            }
        }
    }

    private void HandOver()
    {
        if (!_closed && _outbox.Length > 0)
        {
            _refused |= !endpoint.SendAsync(_outbox.Waiting.Span);
            _outbox.Sent(_outbox.Length);
        }
    }
}
