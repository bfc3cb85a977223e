using System.Collections.Concurrent;
using System.Text;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace Chat;

/// <summary>The client's side: prints what it hears, and says what is typed.</summary>
internal sealed class ChatGuest : IClientHandler
{
    private readonly ConcurrentQueue<string> _typed = new();
    private readonly TaskCompletionSource _gone = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile IPeer? _server;

    /// <summary>Ends when the server has gone.</summary>
    public Task Gone => _gone.Task;

    /// <summary>Says a line; from any thread.</summary>
    public void Say(string line)
    {
        _typed.Enqueue(line);
        _server?.Wake();
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker) => _server = peer;

    public void OnStart(IPeer peer, WorkerStatistics worker) => OnWritable(peer, worker);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => Console.WriteLine(Encoding.UTF8.GetString(message));

    public void OnWritable(IPeer peer, WorkerStatistics worker)
    {
        while (_typed.TryDequeue(out string? line))
        {
            if (!peer.Send(Encoding.UTF8.GetBytes(line)))
            {
                Console.Error.WriteLine($"Not sent: a line has 1 to {ChatPrograms.LongestLine} bytes.");
            }
        }
    }

    public void OnDue(IPeer peer, long due, WorkerStatistics worker)
    {
        // Only where a plan has a rate.
    }

    public void OnTick(IPeer peer, WorkerStatistics worker)
    {
        // Nothing here has a deadline.
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker) => _gone.TrySetResult();
}
