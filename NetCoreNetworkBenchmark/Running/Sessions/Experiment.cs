namespace NetCoreNetworkBenchmark.Running.Sessions;

/// <summary>What is measured, in which order, and how. A command line or a part of <c>-b</c> makes one.</summary>
/// <param name="Command">The command line that repeats it.</param>
internal sealed record Experiment(SuiteStrategy Strategy, IStepRunner Runner, string Command)
{
    /// <summary>The libraries that the result names as not measured.</summary>
    public IReadOnlyList<MissingLibrary> Missing { get; init; } = [];
}
