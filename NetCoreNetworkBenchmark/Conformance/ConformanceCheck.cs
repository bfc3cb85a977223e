namespace NetCoreNetworkBenchmark.Conformance;

/// <param name="RunAsync">Throws if the library does not meet the requirement, with the reason in one sentence.</param>
internal sealed record ConformanceCheck(string Name, Func<CheckSubject, Task> RunAsync)
{
    /// <summary>Creates a check of one session, which is open for the call.</summary>
    public ConformanceCheck(string name, int clients, Func<CheckSession, Task> runAsync, int window = 1, double? rate = null)
        : this(name, subject => subject.WithinAsync(runAsync, clients, window, rate))
    {
    }

    /// <summary>Returns the reason as the end of a sentence; null if the check is applicable.</summary>
    public Func<LibraryInfo, RunPlan, string?> NotApplicable { get; init; } = (_, _) => null;

    /// <summary>Whether all other checks would fail too, at their deadlines.</summary>
    public bool IsVital { get; init; }
}

/// <summary>The deadline of each step is that of connecting.</summary>
/// <param name="Clients">The library of the clients: the same, unless it has none.</param>
internal sealed record CheckSubject(INetworkBenchmark Library, INetworkBenchmark Clients, RunPlan Plan, TlsCredentials? Credentials)
{
    public IPAddress Loopback => IPAddress.Parse(Plan.Address);

    public CheckSession Open(int clients, int window = 1, double? rate = null, int? size = null, TimeProvider? clock = null) => new(
        this with { Plan = Plan with { Clients = clients, ParallelMessages = window, Rate = rate, MessageSize = size ?? Plan.MessageSize } }, clock);

    public async Task WithinAsync(
        Func<CheckSession, Task> runAsync, int clients, int window = 1, double? rate = null, int? size = null, TimeProvider? clock = null)
    {
        await using CheckSession session = Open(clients, window, rate, size, clock);
        await runAsync(session);
    }
}
