namespace NetCoreNetworkBenchmark.Conformance;

/// <summary>One requirement for every library.</summary>
/// <param name="Name">The name in the output of the command <c>check</c>.</param>
/// <param name="RunAsync">Throws if the library does not meet the requirement, with the reason in one sentence.</param>
internal sealed record ConformanceCheck(string Name, Func<CheckSubject, Task> RunAsync)
{
    /// <summary>Returns the reason why the check is not applicable to a library under a plan, as the end of a sentence; null if it is applicable.</summary>
    public Func<LibraryInfo, RunPlan, string?> NotApplicable { get; init; } = (_, _) => null;

    /// <summary>Whether all other checks would fail too, at their deadlines.</summary>
    public bool IsVital { get; init; }
}

/// <summary>A library under check, with the plan that the checks vary. The deadline of each step is that of connecting.</summary>
/// <param name="Clients">The library of the clients: the same, unless it has none.</param>
internal sealed record CheckSubject(INetworkBenchmark Library, INetworkBenchmark Clients, RunPlan Plan, TlsCredentials? Credentials)
{
    /// <summary>The loopback of this machine.</summary>
    public IPAddress Loopback => IPAddress.Parse(Plan.Address);

    public CheckSession Open(int clients, int window = 1, double? rate = null, int? size = null, TimeProvider? clock = null) => new(
        this with { Plan = Plan with { Clients = clients, ParallelMessages = window, Rate = rate, MessageSize = size ?? Plan.MessageSize } }, clock);
}
