using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;
using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>
/// Where the processes of clients arrive: one thread accepts all connections, listens to those that have not said hello, and lets in whom the server
/// has room for. The thread pool is the library's, so nothing here waits for it.
/// </summary>
internal sealed class Reception
{
    /// <summary>The most connections that have not said hello. Beyond it the oldest is closed, so that one who does say hello gets in.</summary>
    public const int MostStrangers = 64;

    private readonly Socket _listener;
    private readonly RunRecorder _recorder;
    private readonly PollLoop _loop;
    private readonly LinkedList<Stranger> _strangers = new();
    private int _count;
    private bool _reported;

    /// <summary>Starts the thread.</summary>
    /// <param name="listener">Listens for greetings. It belongs to this one from <see cref="Begin"/> on.</param>
    /// <param name="recorder">Where a fault of the thread goes.</param>
    public Reception(Socket listener, RunRecorder recorder)
    {
        listener.Blocking = false;
        _listener = listener;
        _recorder = recorder;
        _loop = new PollLoop("greetings", recorder, servesClients: false);
    }

    /// <summary>Returns why a process is not let in; null where it is.</summary>
    public required Func<HelloFrame, string?> Refusal { get; init; }

    /// <summary>Called with each process that was let in: its connection and what was read of it.</summary>
    public required Action<Socket, ReadOnlyMemory<byte>, HelloFrame> Admitted { get; init; }

    /// <summary>Told, for a person to read, what is not as it should be.</summary>
    public Action<string>? Told { get; init; }

    /// <summary>Connections that have not said hello, or were refused.</summary>
    public int Strangers => Volatile.Read(ref _count);

    /// <summary>Ends with the fault of the thread; never ends otherwise.</summary>
    public Task<Exception> Fault => _recorder.Fault;

    /// <summary>Begins to accept.</summary>
    public void Begin() => _loop.Post(() => _loop.Add(new Acceptor(_loop, _listener, Meet, Pause)));

    /// <summary>Accepts no more, and closes all connections that were not let in.</summary>
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
            // The connection has broken, or the system has no room for it; the others are served on.
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
            // Whatever one process brings about, the others are served on.
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

    // Whoever has not said hello makes room for one who may.
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
