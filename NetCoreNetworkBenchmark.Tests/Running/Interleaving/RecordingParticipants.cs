namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

/// <summary>A driver that records its turns in a list that several drivers share, and whether another one had its turn meanwhile.</summary>
internal sealed class RecordingLoadGenerator(string name, List<string> order) : ILoadGenerator
{
    public string Name => name;
    public ILoadGenerator Of { get; set; } = null!;
    public bool FailsToEnd { get; init; }
    public int Overlaps { get; private set; }

    /// <summary>Called at the begin of a slice.</summary>
    public Action? Measuring { get; init; }

    /// <summary>Called before the load is drained at the end of its set.</summary>
    public Func<Task>? Draining { get; init; }

    /// <summary>Receives what happens to the process; null if it cannot be suspended.</summary>
    public List<string>? Events { get; init; }
    public bool CanSuspend => Events is not null;
    public Task<Exception> Broken => Of.Broken;

    public void Suspend() => Record("suspended");

    public void Resume() => Record("resumed");

    public Task ConnectAsync(ServerAddress server, ICoordinator coordinator, CancellationToken cancellationToken) =>
        Of.ConnectAsync(server, coordinator, cancellationToken);

    public Task<ClientReport> LoadAsync(CancellationToken stop) => Of.LoadAsync(stop);

    public async Task<SliceReport> SliceAsync(SliceCommand command, CancellationToken cancellationToken)
    {
        Record("has a slice");
        await (command is EndCommand && Draining is not null ? Draining() : Task.CompletedTask);

        // A burst of the warm-up does not settle.
        if (command is MeasureCommand { SettleSeconds: > 0 })
        {
            order.Add(name);
            Measuring?.Invoke();
        }

        int before = order.Count;
        SliceReport slice = await Of.SliceAsync(command, cancellationToken);
        Overlaps += order.Count - before;
        return slice;
    }

    public Task<ClientReport> ReportAsync() => Of.ReportAsync();

    public void Dismiss() => Of.Dismiss();

    public async ValueTask DisposeAsync()
    {
        await Of.DisposeAsync();
        if (FailsToEnd)
        {
            throw new IOException("It is stuck.");
        }
    }

    private void Record(string what)
    {
        lock (Events ?? [])
        {
            Events?.Add($"{name} {what}");
        }
    }
}

/// <summary>A server in this process that counts as one that can be suspended, and goes on.</summary>
internal sealed class SuspendableServer(IServerHost of) : IServerHost
{
    public bool CanSuspend => true;
    public Task<Exception> Broken => of.Broken;

    public void Suspend() { }

    public void Resume() { }

    public Task<ServerAddress> StartAsync(CancellationToken cancellationToken) => of.StartAsync(cancellationToken);

    public Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken) => of.ReadMemoryAsync(cancellationToken);

    public void Enter(RunPhase phase) => of.Enter(phase);

    public void DiscardSlices() => of.DiscardSlices();

    public Task<ServerReport?> StopAsync() => of.StopAsync();

    public void Dismiss() => of.Dismiss();

    public ValueTask DisposeAsync() => of.DisposeAsync();
}
