using System.Globalization;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Capacity;

/// <summary>
/// Finds the most clients that all connect and each receive their answer within the plan's loss deadline. It first tries 10, 100, 1,000 and
/// 10,000, so that the figures of several searches can be compared. Then it doubles the number until it does not hold or the bound is
/// reached. Then it halves the interval between the most that held and the fewest that did not, until it is narrower than 5 %.
/// </summary>
internal sealed class CapacitySearch(RunPlan template, LibraryInfo library, CapacityBound bound)
{
    private const double Precision = 0.05;
    private const int MostSteps = 24;
    private static readonly int[] s_decades = [10, 100, 1_000, 10_000];

    private readonly List<MaxClientsStep> _steps = [];
    private string _libraryVersion = library.Version;

    /// <summary>
    /// The conditions that could disturb the run, as found before it. If null, they are inspected again, without the load of other programs.
    /// </summary>
    public Fitness? Fitness { get; init; }

    /// <summary>Called before each step.</summary>
    public Action<int>? Starting { get; init; }

    /// <summary>Called after each step.</summary>
    public Action<MaxClientsStep>? Finished { get; init; }

    /// <summary>Makes one step; replaced in tests.</summary>
    public Func<RunPlan, CancellationToken, Task<(MaxClientsFigures Figures, string LibraryVersion)>> Run { get; init; } =
        (plan, cancellationToken) => new CapacityLaunch(plan).RunAsync(cancellationToken);

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

    // Null if there is no number left to try.
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

    // A last step that is smaller than the precision would be an unnecessary one.
    private int Double(int best) => best == 0 || best * 2 * (1 + Precision) >= bound.Clients ? bound.Clients : best * 2;

    // Null if the user ended the search: a step that was cut short has no valid figures.
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
            // Earlier measurements are kept, regardless of the failure of this step. Input that is not valid also fails the first step.
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
