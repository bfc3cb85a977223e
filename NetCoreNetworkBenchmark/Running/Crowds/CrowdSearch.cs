using System.Globalization;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Crowds;

/// <summary>
/// Finds the most clients that all connect and each have their answer within the plan's loss deadline. It tries 10, 100, 1,000 and
/// 10,000, so that figures of several searches stand side by side, then doubles the number until it does not hold or the bound is
/// reached, then halves the interval between the most that held and the fewest that did not until it is narrower than 5 %.
/// </summary>
internal sealed class CrowdSearch(RunPlan template, LibraryInfo library, CrowdBound bound)
{
    private const double Precision = 0.05;
    private const int MostSteps = 24;
    private static readonly int[] s_decades = [10, 100, 1_000, 10_000];

    private readonly List<MaxClientsStep> _steps = [];
    private string _libraryVersion = library.Version;

    /// <summary>What could disturb the run, as it was found before it; null to look again, without what other programs do.</summary>
    public Fitness? Fitness { get; init; }

    /// <summary>Told before each step.</summary>
    public Action<int>? Starting { get; init; }

    /// <summary>Told after each step.</summary>
    public Action<MaxClientsStep>? Finished { get; init; }

    /// <summary>Makes one step; replaced in tests.</summary>
    public Func<RunPlan, CancellationToken, Task<(MaxClientsFigures Figures, string LibraryVersion)>> Run { get; init; } =
        (plan, cancellationToken) => new CrowdLaunch(plan).RunAsync(cancellationToken);

    public async Task<MaxClientsResult> RunAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        Fitness fitness = Fitness ?? FitnessInspector.Inspect(template with { Clients = bound.Clients });
        (int best, int? worst) = await SearchAsync(cancellationToken).ConfigureAwait(false);
        return new MaxClientsResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            Library = library.Name,
            LibraryVersion = _libraryVersion,
            Protocol = template.Protocol.ToString(),
            Transmission = template.Transmission.ToString(),
            Framing = StreamFacts.FramingOf(template),
            NoDelay = StreamFacts.NoDelayOf(template),
            ClientLibrary = StreamFacts.ClientLibraryOf(template),
            MessageSize = template.MessageSize,
            DeadlineMilliseconds = template.LossDeadline.TotalMilliseconds,
            StartedAt = startedAt,
            Bound = bound.Clients,
            BoundBy = bound.Kind,
            Steps = [.. _steps.OrderBy(step => step.Clients)],
            HighestClients = best > 0 ? best : null,
            Conclusion = Conclude(best, worst, cancellationToken.IsCancellationRequested),
            Aborted = cancellationToken.IsCancellationRequested,
            Fitness = fitness,
            Environment = MachineInspector.Inspect(),
            Command = PlanArguments.CommandOfMaxClients(template, bound.Kind == ClientBoundKind.Asked ? bound.Clients : null),
        };
    }

    private async Task<(int Best, int? Worst)> SearchAsync(CancellationToken cancellationToken)
    {
        int best = 0;
        int? worst = null;
        while (_steps.Count < MostSteps && Next(best, worst) is { } clients && await TryAsync(clients, cancellationToken).ConfigureAwait(false) is { } step)
        {
            _steps.Add(step);
            Finished?.Invoke(step);
            (best, worst) = step.Holds ? (clients, worst) : (best, clients);
        }

        return (best, worst);
    }

    // Null where there is no number left to try.
    private int? Next(int best, int? worst)
    {
        if (worst is { } upper)
        {
            return upper - best <= Math.Max(1, Precision * upper) ? null : best + ((upper - best) / 2);
        }

        if (best >= bound.Clients)
        {
            return null;
        }

        int next = s_decades.FirstOrDefault(decade => decade > best && decade <= bound.Clients);
        return next > 0 ? next : Double(best);
    }

    // A last step by less than the precision would be one more for nothing.
    private int Double(int best) => best == 0 || best * 2 * (1 + Precision) >= bound.Clients ? bound.Clients : best * 2;

    // Null where the user ended the search: a step that was cut short says nothing of its clients.
    private async Task<MaxClientsStep?> TryAsync(int clients, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return null;
        }

        Starting?.Invoke(clients);
        try
        {
            (MaxClientsFigures figures, _libraryVersion) = await Run(template with { Clients = clients }, cancellationToken).ConfigureAwait(false);
            string? reason = figures.Answered == clients
                ? null
                : Invariant($"{clients - figures.Answered:N0} of {clients:N0} clients had no answer within {template.LossDeadline.TotalSeconds:0.#######} s");
            return new MaxClientsStep(clients, reason is null, reason, figures);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return null;
        }
        catch (Exception exception) when (_steps.Count > 0 || exception is not BenchmarkException { IsBadInput: true })
        {
            // What was measured before is kept, whatever this step met with. Input that is wrong is so for the first step too.
            return new MaxClientsStep(clients, false, exception.Message, null);
        }
    }

    private string Conclude(int best, int? worst, bool aborted)
    {
        if (aborted)
        {
            return "The search was ended before its time.";
        }

        if (worst is { } upper)
        {
            return Invariant($"At {upper:N0}: {_steps.First(step => step.Clients == upper).Reason!.TrimEnd('.')}.");
        }

        return best == bound.Clients ? bound.Sentence : Invariant($"The search ended after {MostSteps} steps.");
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
