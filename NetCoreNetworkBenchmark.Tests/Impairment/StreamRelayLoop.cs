using NetCoreNetworkBenchmark.Impairment;

namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>The parts of a relay for streams on a loop that the test can use, with a server's listening socket behind them.</summary>
internal sealed class StreamRelayLoop : IAsyncDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly Socket _server = RelayedStreams.Open();

    public StreamRelayLoop(ImpairmentPlan plan)
    {
        _server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _server.Listen();
        Loop = new PollLoop("relay", _recorder, servesClients: false);
        Traffic = new Traffic(plan, bounds: StreamBounds.Of(plan, clients: 1));
        Listener = new StreamListener(RelayedStreams.SetupOf(plan, (IPEndPoint)_server.LocalEndPoint!, _recorder), Loop, Traffic);
        Loop.Post(() =>
        {
            Listener.Begin();
            Loop.Add(Traffic.DelayQueue);
        });
    }

    public PollLoop Loop { get; }
    public Traffic Traffic { get; }
    public StreamListener Listener { get; }

    /// <summary>Connects one client; the server's end is the relay's connection to the server.</summary>
    public StreamPair Connect()
    {
        Socket client = RelayedStreams.Open();
        client.Connect(Listener.EndPoint);
        return new StreamPair(client, RelayedStreams.Prepare(_server.Accept()));
    }

    /// <summary>Does something on the thread of the loop, and waits for its end.</summary>
    public async Task OnLoopAsync(Action action)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Loop.Post(() =>
        {
            action();
            done.SetResult();
        });
        await done.Task.WaitAsync(RelayedStreams.Deadline, TestContext.Current.CancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        await Loop.StopAsync(RelayedStreams.Deadline);
        Listener.Dispose();
        _server.Dispose();
        Assert.False(_recorder.Fault.IsCompleted);
        _recorder.Dispose();
    }
}
