namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

/// <summary>A driver that records its turns in a list that several drivers share, and whether another one had its turn meanwhile.</summary>
internal sealed class RecordingLoadGenerator(string name, List<string> order) : ILoadGenerator
{
    public string Name => name;
    public ILoadGenerator Of { get; set; } = null!;
    public bool Hangs { get; init; }
    public int Overlaps { get; private set; }
    public Task<Exception> Broken => Of.Broken;

    public Task ConnectAsync(ServerAddress server, ICoordinator coordinator, CancellationToken cancellationToken) =>
        Of.ConnectAsync(server, coordinator, cancellationToken);

    public Task<ClientReport> LoadAsync(CancellationToken stop) => Of.LoadAsync(stop);

    public async Task<SliceReport> SliceAsync(SliceRequest request, CancellationToken cancellationToken)
    {
        await Task.Delay(Hangs ? Timeout.InfiniteTimeSpan : TimeSpan.Zero, cancellationToken);
        if (request is { MeasureSeconds: not null, IsWarmUp: false })
        {
            order.Add(name);
        }

        int before = order.Count;
        SliceReport slice = await Of.SliceAsync(request, cancellationToken);
        Overlaps += order.Count - before;
        return slice;
    }

    public Task<ClientReport> ReportAsync() => Of.ReportAsync();

    public Task DismissAsync() => Of.DismissAsync();

    public ValueTask DisposeAsync() => Of.DisposeAsync();
}
