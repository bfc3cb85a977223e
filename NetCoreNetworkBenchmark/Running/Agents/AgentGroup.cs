using System.Runtime.ExceptionServices;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>The processes of one launch. When one breaks, every wait ends with its reason. Disposing ends all processes.</summary>
internal sealed class AgentGroup(CancellationToken cancelled) : IAsyncDisposable
{
    private static readonly TimeSpan s_resultDeadline = TimeSpan.FromSeconds(5);
    private readonly List<AgentProcess> _agents = [];

    /// <summary>Cancelled when the user ends the launch.</summary>
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

    /// <summary>Requests the current memory use of a process.</summary>
    public async Task<ProcessMemory> AskMemoryAsync(AgentProcess agent)
    {
        Task<ProcessMemory> asked = agent.AskMemoryAsync(cancelled);
        await UnlessBrokenAsync(asked, s_resultDeadline, cancelled).ConfigureAwait(false);
        return await asked.ConfigureAwait(false);
    }

    /// <summary>Requests the result.</summary>
    public async Task<ResultFrame> StopAsync(AgentProcess agent)
    {
        await agent.TellAsync(new StopFrame(), CancellationToken.None).ConfigureAwait(false);
        await UnlessBrokenAsync(agent.Result, s_resultDeadline, CancellationToken.None).ConfigureAwait(false);
        return await agent.Result.ConfigureAwait(false);
    }

    /// <summary>Waits for a task, unless a process breaks first.</summary>
    /// <exception cref="BenchmarkException">A process broke, or the deadline has passed.</exception>
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
        // In reverse order: clients end before their server.
        Exception? first = null;
        foreach (AgentProcess agent in Enumerable.Reverse(_agents))
        {
            try
            {
                await agent.DisposeAsync().ConfigureAwait(false);
            }
            catch (Exception exception)
            {
                // The other processes are ended all the same.
                first ??= exception;
            }
        }

        if (first is not null)
        {
            ExceptionDispatchInfo.Throw(first);
        }
    }
}
