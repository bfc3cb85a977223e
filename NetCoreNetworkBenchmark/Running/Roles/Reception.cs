using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>
/// Receives the connections of client processes. One thread accepts all connections, reads from those that have not sent hello, and admits the
/// processes that the server has room for. The thread pool belongs to the library, so nothing here waits for it.
/// </summary>
internal sealed class Reception
{
    /// <summary>
    /// The most connections that have not sent hello. Beyond it the oldest is closed, so that a process that does send hello is admitted.
    /// </summary>
    public const int MostStrangers = 64;

    private readonly Socket _listener;
    private readonly RunRecorder _recorder;
    private readonly PollLoop _loop;
    private readonly LinkedList<Stranger> _strangers = new();
    private int _count;
    private bool _reported;

    /// <summary>Starts the thread.</summary>
    /// <param name="listener">The listener for greetings. It is owned by this instance from <see cref="Begin"/> on.</param>
    /// <param name="recorder">The recorder that receives a fault of the thread.</param>
    public Reception(Socket listener, RunRecorder recorder)
    {
        listener.Blocking = false;
        _listener = listener;
        _recorder = recorder;
        _loop = new PollLoop("greetings", recorder, servesClients: false);
    }

    /// <summary>Returns the reason why a process is refused; null if it is admitted.</summary>
    public required Func<HelloFrame, string?> Refusal { get; init; }

    /// <summary>Called with each process that was admitted: its connection, the bytes that were read of it, and its hello.</summary>
    public required Action<Socket, ReadOnlyMemory<byte>, HelloFrame> Admitted { get; init; }

    /// <summary>Called with a text for the user when something is not as it should be.</summary>
    public Action<string>? Told { get; init; }

    /// <summary>The number of connections that have not sent hello, or were refused.</summary>
    public int Strangers => Volatile.Read(ref _count);

    /// <summary>Ends with the fault of the thread; otherwise, never ends.</summary>
    public Task<Exception> Fault => _recorder.Fault;

    /// <summary>Starts to accept.</summary>
    public void Begin() => _loop.Post(() => _loop.Add(new Acceptor(_loop, _listener, Meet, Pause)));

    /// <summary>Stops accepting, and closes all connections that were not admitted.</summary>
    /// <exception cref="BenchmarkException">The thread did not end before the deadline.</exception>
    public Task StopAsync(TimeSpan deadline) => _loop.StopAsync(deadline);

    private void Meet(Socket connection)
    {
        try
        {
            if (_strangers.Count >= MostStrangers)
            {
                Close(_strangers.First!.Value);
            }

            var stranger = new Stranger(connection, Greet, Close);
            _loop.Add(stranger);
            _strangers.AddLast(stranger);
            Volatile.Write(ref _count, _strangers.Count);
        }
        catch (SystemException)
        {
            // The connection has broken, or the system has no room for it. The others are still served.
            connection.Dispose();
        }
    }

    private void Greet(Stranger stranger, HelloFrame hello)
    {
        try
        {
            if (Refusal(hello) is { } refusal)
            {
                stranger.Refuse(refusal, hello);
                return;
            }

            Forget(stranger);
            Admitted(stranger.Release(), stranger.Said, hello);
        }
        catch (Exception exception)
        {
            // Regardless of the failure of one process, the others are still served.
            Close(stranger);
            Told?.Invoke($"A process of clients could not be served: {exception.Message}");
        }
    }

    private void Close(Stranger stranger)
    {
        Forget(stranger);
        stranger.Dispose();
    }

    private void Forget(Stranger stranger)
    {
        _loop.Remove(stranger);
        _strangers.Remove(stranger);
        Volatile.Write(ref _count, _strangers.Count);
    }

    // A connection that has not sent hello makes room for one that may.
    private void Pause(SocketException exception)
    {
        if (_strangers.First is { } oldest)
        {
            Close(oldest.Value);
        }

        if (!_reported)
        {
            _reported = true;
            Told?.Invoke($"A connection for greetings cannot be accepted ({exception.Message.TrimEnd('.')}); connections wait until there is room.");
        }
    }
}
