using System.Collections.Concurrent;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Agents;

internal interface IAgentSource
{
    AgentProcess Take();

    ValueTask ReturnAsync(AgentProcess process);
}

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

    public IAgentSource Of(AgentRole role, RunPlan plan, Func<AgentProcess> start) =>
        new Source(_idle, (role, RunResult.NameOf(plan.Library, plan.Profile.ToString(), plan.Variant)), start);

    /// <summary>Ends the processes that no case of the next benchmark uses.</summary>
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
