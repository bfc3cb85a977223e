using System.Collections.Concurrent;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>The source of a participant's process.</summary>
internal interface IAgentSource
{
    /// <summary>Returns the process of the next run.</summary>
    /// <exception cref="BenchmarkException">The process cannot be started.</exception>
    AgentProcess Take();

    /// <summary>Takes the process back after the run.</summary>
    ValueTask ReturnAsync(AgentProcess process);
}

/// <summary>A fresh process for each run.</summary>
/// <param name="start">Starts a process.</param>
internal sealed class FreshAgents(Func<AgentProcess> start) : IAgentSource
{
    public AgentProcess Take() => start();

    public ValueTask ReturnAsync(AgentProcess process) => process.DisposeAsync();
}

/// <summary>
/// The processes of a set, which serve one benchmark after another. Their code is warm from the second benchmark on. Disposing ends them.
/// </summary>
internal sealed class AgentPool : IAsyncDisposable
{
    private readonly ConcurrentDictionary<(AgentRole Role, string Case), AgentProcess> _idle = new();

    /// <summary>Returns the source of the process that has a role in the runs of a case.</summary>
    /// <param name="role">The role.</param>
    /// <param name="plan">The plan of the case.</param>
    /// <param name="start">Starts a process that stays.</param>
    public IAgentSource Of(AgentRole role, RunPlan plan, Func<AgentProcess> start) =>
        new Source(_idle, (role, LibraryResult.NameOf(plan)), start);

    /// <summary>Ends the processes that no case of the next benchmark uses.</summary>
    /// <param name="next">The names of its cases.</param>
    public async Task KeepAsync(IReadOnlyCollection<string> next)
    {
        foreach ((AgentRole, string Case) key in _idle.Keys.Where(key => !next.Contains(key.Case)))
        {
            if (_idle.TryRemove(key, out AgentProcess? process))
            {
                await process.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    public async ValueTask DisposeAsync() => await KeepAsync([]).ConfigureAwait(false);

    private sealed class Source(
        ConcurrentDictionary<(AgentRole Role, string Case), AgentProcess> idle, (AgentRole Role, string Case) key, Func<AgentProcess> start) : IAgentSource
    {
        public AgentProcess Take() => idle.TryRemove(key, out AgentProcess? process) ? process : start();

        public async ValueTask ReturnAsync(AgentProcess process)
        {
            if (!await process.IsReadyAgainAsync().ConfigureAwait(false) || !idle.TryAdd(key, process))
            {
                await process.DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}
