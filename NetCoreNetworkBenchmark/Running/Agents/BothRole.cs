namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>An agent that is server and clients in one process, like a run by hand.</summary>
internal sealed class BothRole : IAgentRole
{
    public async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        var runner = new Runner(context.Plan, context.Library, context.Workload, context.ClientLibrary) { Progress = progress => context.Progress = progress };
        await context.StoppableAsync(
            async stop => new ResultFrame { Run = await runner.RunAsync(stop).ConfigureAwait(false) }, cancellationToken).ConfigureAwait(false);
    }
}
