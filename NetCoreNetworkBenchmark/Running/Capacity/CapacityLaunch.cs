using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Capacity;

/// <summary>
/// Tries one number of clients in fresh processes, one for the server and one for all clients. The clients connect, are idle while the
/// server's process reads its memory use, and then make one round trip each. No process outlives the launch.
/// </summary>
internal sealed class CapacityLaunch(RunPlan plan)
{
    /// <summary>Runs the plan.</summary>
    /// <returns>The figures, and the version of the library.</returns>
    /// <exception cref="BenchmarkException">Not all clients connected, or a process broke down.</exception>
    /// <exception cref="OperationCanceledException">The user ended the launch.</exception>
    public async Task<(MaxClientsFigures Figures, string LibraryVersion)> RunAsync(CancellationToken cancellationToken)
    {
        await using var agents = new AgentGroup(cancellationToken);
        RunCredentials? credentials = RunCredentials.For(plan);
        AgentProcess server = agents.Add(new AgentProcess(AgentRole.Server));
        string serverAt = (await agents.GreetAsync(server, plan, null, Deadlines.Process, credentials?.Server).ConfigureAwait(false))!;
        ProcessMemory before = await agents.AskMemoryAsync(server).ConfigureAwait(false);
        AgentProcess clients = agents.Add(new AgentProcess(AgentRole.Crowd));
        await agents.GreetAsync(clients, plan, serverAt, plan.ConnectDeadline + Deadlines.Process, credentials?.Clients).ConfigureAwait(false);
        ProcessMemory idle = await agents.AskMemoryAsync(server).ConfigureAwait(false);
        await clients.TellAsync(new GoFrame(), agents.Cancelled).ConfigureAwait(false);
        await agents.UnlessBrokenAsync(clients.Result, plan.LossDeadline + plan.StopDeadline + Deadlines.Process, agents.Cancelled).ConfigureAwait(false);
        CapacityReport met = (await clients.Result.ConfigureAwait(false)).Crowd!;
        ResultFrame served = await agents.StopAsync(server).ConfigureAwait(false);
        await clients.TellAsync(new ByeFrame(), CancellationToken.None).ConfigureAwait(false);
        await server.TellAsync(new ByeFrame(), CancellationToken.None).ConfigureAwait(false);
        return (Figures(before, idle, met, served.Server!), plan.ClientLibrary is null ? met.LibraryVersion : served.Server!.LibraryVersion);
    }

    private MaxClientsFigures Figures(ProcessMemory before, ProcessMemory idle, CapacityReport met, ServerReport served) => new()
    {
        Clients = plan.Clients,
        ConnectSeconds = met.ConnectSeconds,
        Answered = met.Answered,
        LatencyMicroseconds = met.Latency,
        ServerResidentBytesBefore = before.ResidentBytes,
        ServerResidentBytes = idle.ResidentBytes,
        ServerManagedBytesBefore = before.ManagedBytes,
        ServerManagedBytes = idle.ManagedBytes,
        ErrorsByName = new SortedDictionary<string, long>(
            met.Errors.Concat(served.Errors).GroupBy(error => error.Key).ToDictionary(group => group.Key, group => group.Sum(error => error.Value)),
            StringComparer.Ordinal),
    };
}
