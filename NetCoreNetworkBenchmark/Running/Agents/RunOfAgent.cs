namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>The coordinator's state of one run of an agent's process.</summary>
internal sealed class RunOfAgent
{
    /// <summary>Ends with the end point on which the agent listens, null for none, when it is ready.</summary>
    public TaskCompletionSource<string?> Ready { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public TaskCompletionSource<ResultFrame> Result { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Ends when the agent has closed its connections.</summary>
    public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Whether the agent was notified that the run is over.</summary>
    public bool IsDismissed { get; set; }
}
