using System.Collections.Concurrent;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>The source of a participant's process: a fresh one for each run.</summary>
internal class AgentSource(Func<AgentProcess> start)
{
    public virtual AgentProcess Take() => start();

    public virtual ValueTask ReturnAsync(AgentProcess process) => process.DisposeAsync();
}

/// <summary>
/// The processes of a set, which serve one benchmark after another. Their code is warm from the second benchmark on. Disposing ends them.
/// </summary>
internal sealed class AgentPool : IAsyncDisposable
{
    private readonly ConcurrentDictionary<(AgentRole Role, string Code), AgentProcess> _idle = new();

    public AgentSource Of(AgentRole role, RunPlan plan, Func<AgentProcess> start) => new Source(_idle, KeyOf(role, plan), start);

    /// <summary>Ends the processes that no case of the next benchmark uses.</summary>
    public async Task KeepAsync(IReadOnlyCollection<RunPlan> next)
    {
        foreach ((AgentRole Role, string Code) key in _idle.Keys.Where(key => !next.Any(plan => KeyOf(key.Role, plan) == key)))
        {
            if (_idle.TryRemove(key, out AgentProcess? process))
            {
                await process.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    public async ValueTask DisposeAsync() => await KeepAsync([]).ConfigureAwait(false);

    // A process has the code of one library: what another one left in it, such as its profile of shared code, would be in the figures.
    private static (AgentRole Role, string Code) KeyOf(AgentRole role, RunPlan plan) =>
        (role, role == AgentRole.Client && plan.ClientLibrary is { } clients ? $"{LibraryResult.NameOf(plan)} by {clients}" : LibraryResult.NameOf(plan));

    private sealed class Source(
        ConcurrentDictionary<(AgentRole Role, string Code), AgentProcess> idle, (AgentRole Role, string Code) key, Func<AgentProcess> start)
        : AgentSource(start)
    {
        public override AgentProcess Take() => idle.TryRemove(key, out AgentProcess? process) ? process : base.Take();

        public override async ValueTask ReturnAsync(AgentProcess process)
        {
            if (!await process.IsReadyAgainAsync().ConfigureAwait(false) || !idle.TryAdd(key, process))
            {
                await process.DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}
