using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Crowds;

/// <summary>
/// Tries one number of clients in fresh processes, one for the server and one for all clients: they connect, are idle while the
/// server's process looks at its memory, and each makes one round trip. No process outlives the launch.
/// </summary>
internal sealed class CrowdLaunch(RunPlan plan)
{
    /// <summary>Runs the plan.</summary>
    /// <returns>What was measured, and the version of the library.</returns>
    /// <exception cref="BenchmarkException">Not all clients connected, or a process broke down.</exception>
    /// <exception cref="OperationCanceledException">The user ended it.</exception>
    public async Task<(MaxClientsFigures Figures, string LibraryVersion)> RunAsync(CancellationToken cancellationToken)
    {
        await using var crew = new Crew(cancellationToken);
        RunCredentials? credentials = RunCredentials.For(plan);
        AgentProcess server = crew.Add(new AgentProcess(AgentRole.Server));
        string serverAt = (await crew.GreetAsync(server, plan, null, Deadlines.Process, credentials?.Server).ConfigureAwait(false))!;
        ProcessMemory before = await crew.AskMemoryAsync(server).ConfigureAwait(false);
        AgentProcess clients = crew.Add(new AgentProcess(AgentRole.Crowd));
        await crew.GreetAsync(clients, plan, serverAt, plan.ConnectDeadline + Deadlines.Process, credentials?.Clients).ConfigureAwait(false);
        ProcessMemory idle = await crew.AskMemoryAsync(server).ConfigureAwait(false);
        await clients.TellAsync(new GoFrame(), crew.Cancelled).ConfigureAwait(false);
        await crew.UnlessBrokenAsync(clients.Result, plan.LossDeadline + plan.StopDeadline + Deadlines.Process, crew.Cancelled).ConfigureAwait(false);
        CrowdReport met = (await clients.Result.ConfigureAwait(false)).Crowd!;
        ResultFrame served = await crew.StopAsync(server).ConfigureAwait(false);
        await clients.TellAsync(new ByeFrame(), CancellationToken.None).ConfigureAwait(false);
        await server.TellAsync(new ByeFrame(), CancellationToken.None).ConfigureAwait(false);
        return (Figures(before, idle, met, served.Server!), plan.ClientLibrary is null ? met.LibraryVersion : served.Server!.LibraryVersion);
    }

    private MaxClientsFigures Figures(ProcessMemory before, ProcessMemory idle, CrowdReport met, ServerReport served) => new()
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
