using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>
/// One side of a stream as the workload sees it, for each of the library's kinds of endpoint. The library calls back from the thread pool, for
/// what it received and for what it sent at the same time; here the calls become serial.
/// </summary>
/// <param name="plan">The plan of the run.</param>
/// <param name="recorder">Where statistics and errors go.</param>
/// <param name="handler">Whom to call.</param>
/// <param name="endpoint">The library's end of the connection.</param>
/// <param name="side">The side's name, for the names of errors.</param>
internal sealed class NetCorePeer(RunPlan plan, RunRecorder recorder, IPeerHandler handler, INetCoreEndpoint endpoint, string side) : IPeer, IThreadPoolWorkItem
{
    // As much as an outbox holds before it is full; the library has no bound of its own.
    private const int MostUnsent = 64 * 1024;

    private readonly StreamFramer _framer = new(plan);
    private readonly Outbox _outbox = new(plan);

    // Makes the calls for this peer serial: taken once for what one receive call brought, not for each message.
    private readonly Lock _calls = new();
    private bool _connected;
    private bool _closed;
    private volatile bool _sawCongestion;
    private int _woken;

    public object? State { get; set; }

    public bool IsConnected => _connected;

    public bool IsCongested
    {
        get
        {
            bool congested = _outbox.IsFull || endpoint.Unsent >= MostUnsent;
            _sawCongestion |= congested;
            return congested;
        }
    }

    public bool Send(ReadOnlySpan<byte> message)
    {
        if (_closed || !_outbox.TryAdd(message))
        {
            recorder.CountError($"{side} {(_closed ? SocketError.NotConnected : SocketError.MessageSize)}");
            return false;
        }

        return true;
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

    /// <summary>The library has connected; it may tell this after it has received something.</summary>
    public void OnConnected() => Call(static (_, _) => { });

    /// <summary>Takes what one receive call brought.</summary>
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
                    recorder.CountError($"{side} {violation}");
                    endpoint.Disconnect();
                }

                Flush();
            }
        }
        catch (Exception exception)
        {
            // A thread of the pool must not take the process down: the runner ends the run with this as its reason.
            recorder.ReportFault(exception);
        }
    }

    /// <summary>The system has taken all that the library held.</summary>
    public void OnEmpty()
    {
        if (_sawCongestion)
        {
            Wake();
        }
    }

    /// <summary>The library has ended the connection.</summary>
    public void OnDisconnected()
    {
        try
        {
            lock (_calls)
            {
                if (!_closed)
                {
                    _closed = true;
                    if (_framer.HasPart)
                    {
                        recorder.CountError($"{side} got part of a message");
                    }

                    if (_connected)
                    {
                        handler.OnClosed(this, recorder.ForCurrentThread());
                    }
                }
            }
        }
        catch (Exception exception)
        {
            recorder.ReportFault(exception);
        }
    }

    /// <summary>Makes a call of the workload for this peer, and sends what it queued. Does nothing once the connection is gone.</summary>
    public void Call(Action<IPeer, WorkerStatistics> call) => Call(static (peer, made, worker) => made(peer, worker), call);

    /// <summary>Makes a call of the workload that takes something more.</summary>
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
        // Before the call: what is asked for within it asks for another one.
        Volatile.Write(ref _woken, 0);
        _sawCongestion = false;
        Call(handler.OnWritable);
    }

    private WorkerStatistics Enter()
    {
        WorkerStatistics worker = recorder.ForCurrentThread();
        worker.ReadClock();
        if (!_connected)
        {
            _connected = true;
            handler.OnConnected(this, worker);
        }

        return worker;
    }

    private void Flush()
    {
        if (!_closed && _outbox.Length > 0)
        {
            if (!endpoint.SendAsync(_outbox.Waiting.Span))
            {
                // The library's bound, or a connection that is ending; it cannot take a part, so the stream is broken.
                endpoint.Disconnect();
            }

            _outbox.Sent(_outbox.Length);
        }

        // The library may have sent all before the workload had looked.
        if (_sawCongestion && endpoint.Unsent == 0)
        {
            Wake();
        }
    }
}
