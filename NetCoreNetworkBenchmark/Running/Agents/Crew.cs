using System.Runtime.ExceptionServices;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>The processes of one launch. When one breaks, whatever is waited for ends with its reason; disposing ends them all.</summary>
internal sealed class Crew(CancellationToken cancelled) : IAsyncDisposable
{
    private static readonly TimeSpan s_resultDeadline = TimeSpan.FromSeconds(5);
    private readonly List<AgentProcess> _agents = [];

    /// <summary>The user wants the launch to end.</summary>
    public CancellationToken Cancelled => cancelled;

    public AgentProcess Add(AgentProcess agent)
    {
        _agents.Add(agent);
        return agent;
    }

    public async Task<string?> GreetAsync(AgentProcess agent, RunPlan plan, string? target, TimeSpan deadline, TlsCredentials? credentials = null)
    {
        Task<string?> greeted = agent.GreetAsync(plan, target, credentials, cancelled);
        await UnlessBrokenAsync(greeted, deadline, cancelled).ConfigureAwait(false);
        return await greeted.ConfigureAwait(false);
    }

    /// <summary>Asks what a process keeps in memory now.</summary>
    public async Task<ProcessMemory> AskMemoryAsync(AgentProcess agent)
    {
        Task<ProcessMemory> asked = agent.AskMemoryAsync(cancelled);
        await UnlessBrokenAsync(asked, s_resultDeadline, cancelled).ConfigureAwait(false);
        return await asked.ConfigureAwait(false);
    }

    /// <summary>Asks for the result.</summary>
    public async Task<ResultFrame> StopAsync(AgentProcess agent)
    {
        await agent.TellAsync(new StopFrame(), CancellationToken.None).ConfigureAwait(false);
        await UnlessBrokenAsync(agent.Result, s_resultDeadline, CancellationToken.None).ConfigureAwait(false);
        return await agent.Result.ConfigureAwait(false);
    }

    /// <summary>Waits for something, unless a process breaks first.</summary>
    /// <exception cref="BenchmarkException">One did, or the deadline has passed.</exception>
    public async Task UnlessBrokenAsync(Task awaited, TimeSpan deadline, CancellationToken cancellationToken)
    {
        try
        {
            Task first = await Task.WhenAny([awaited, .. _agents.Select(agent => agent.Broken)]).WaitAsync(deadline, cancellationToken).ConfigureAwait(false);
            if (first != awaited && first is Task<Exception> broken)
            {
                throw await broken.ConfigureAwait(false);
            }
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException(
                FormattableString.Invariant($"It hung past its deadline of {deadline.TotalSeconds:0.#} s and was ended."), exception);
        }
    }

    public async ValueTask DisposeAsync()
    {
        // The last first: clients go before their server.
        Exception? first = null;
        foreach (AgentProcess agent in Enumerable.Reverse(_agents))
        {
            try
            {
                await agent.DisposeAsync().ConfigureAwait(false);
            }
            catch (Exception exception)
            {
                // The others are ended all the same.
                first ??= exception;
            }
        }

        if (first is not null)
        {
            ExceptionDispatchInfo.Throw(first);
        }
    }
}
