using NetCoreNetworkBenchmark.Conformance;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Each check has a process of its own, because a library that hangs can only be killed.</summary>
internal sealed class ConformanceRun(RunPlan plan, LibraryInfo library, Func<AgentProcess> start, TimeSpan deadline)
{
    private readonly RunCredentials? _credentials = RunCredentials.For(plan);

    public async IAsyncEnumerable<CheckResult> RunAsync(
        IEnumerable<ConformanceCheck> checks, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string? stopped = null;
        foreach (ConformanceCheck check in checks)
        {
            CheckResult result = (stopped ?? check.NotApplicable(library, plan)) is { } reason
                ? new CheckResult(check.Name, CheckVerdict.NotApplicable, $"{reason}.")
                : await RunAsync(check, cancellationToken);
            stopped ??= result.Verdict == CheckVerdict.Failed && check.IsVital ? $"\"{check.Name}\" failed" : null;
            yield return result;
        }
    }

    private async Task<CheckResult> RunAsync(ConformanceCheck check, CancellationToken cancellationToken)
    {
        await using AgentProcess agent = start();
        try
        {
            await agent.SendHelloAsync(plan, check.Name, _credentials?.Server, cancellationToken);
            await agent.ResultAsync(deadline, cancellationToken);
            return new CheckResult(check.Name, CheckVerdict.Passed, null);
        }
        catch (BenchmarkException exception)
        {
            return new CheckResult(check.Name, CheckVerdict.Failed, exception.Message);
        }
    }
}

/// <param name="Reason">A sentence; null if the check passed.</param>
internal sealed record CheckResult(string Check, CheckVerdict Verdict, string? Reason);

internal enum CheckVerdict
{
    Passed,
    Failed,
    NotApplicable,
}
