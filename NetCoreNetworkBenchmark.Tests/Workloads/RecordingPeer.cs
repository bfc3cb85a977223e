namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>A peer that keeps what is sent to it, in a list of the test or in one of its own.</summary>
internal sealed class RecordingPeer(List<byte[]>? sent = null) : IPeer
{
    private readonly TaskCompletionSource _woken = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _wakes;

    public List<byte[]> Sent { get; } = sent ?? [];
    public List<int> Channels { get; } = [];
    public int Capacity { get; init; } = int.MaxValue;
    public bool IsGroup { get; init; }
    public bool IsCongested => Sent.Count >= Capacity;
    public bool IsClosed { get; private set; }
    public object? State { get; set; }
    public Task Woken => _woken.Task;
    public int Wakes => Volatile.Read(ref _wakes);

    public int TakeWakes() => Interlocked.Exchange(ref _wakes, 0);

    public void Wake()
    {
        Interlocked.Increment(ref _wakes);
        _woken.TrySetResult();
    }

    public bool Send(ReadOnlySpan<byte> message) => SendReliable(message, channel: 0);

    public bool SendReliable(ReadOnlySpan<byte> message, int channel)
    {
        Sent.Add(message.ToArray());
        Channels.Add(channel);
        return true;
    }

    public void Close() => IsClosed = true;
}
