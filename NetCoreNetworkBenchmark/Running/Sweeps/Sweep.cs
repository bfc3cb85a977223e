using System.Globalization;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Sweeps;

/// <summary>
/// Finds the highest rate at which limits hold and no message is lost. It doubles the rate until they do not hold. Then it halves the interval
/// between the best and the worst rate, until it is narrower than 5 %. Every rate is a run in fresh processes.
/// </summary>
internal sealed class Sweep(RunPlan template, LibraryInfo library, IReadOnlyList<LatencyLimit> limits)
{
    private const double FirstRate = 1_000;
    private const double Precision = 0.05;
    private const int MostRuns = 24;

    private readonly List<SweepPoint> _points = [];

    /// <summary>Called before each run.</summary>
    public Action<double>? Starting { get; init; }

    /// <summary>Called after each run.</summary>
    public Action<SweepPoint>? Finished { get; init; }

    /// <summary>Makes one run; replaced in tests.</summary>
    public Func<RunPlan, CancellationToken, Task<RunResult>> Run { get; init; } =
        (plan, cancellationToken) => new Launch(plan, library).RunAsync(cancellationToken);

    public async Task<SweepResult> RunAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        (double best, double? worst) = await SearchAsync(cancellationToken).ConfigureAwait(false);
        return new SweepResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            Library = library.Name,
            Limits = [.. limits.Select(limit => limit.Text)],
            StartedAt = startedAt,
            Points = [.. _points.OrderBy(point => point.Rate)],
            HighestRate = best > 0 ? best : null,
            Conclusion = Conclude(worst, cancellationToken.IsCancellationRequested),
            Aborted = cancellationToken.IsCancellationRequested,
            Environment = MachineInspector.Inspect(),
            Command = $"{PlanArguments.CommandOf(template, library)} --sweep {string.Join(' ', limits.Select(limit => $"--limit {limit.Text}"))}",
        };
    }

    private async Task<(double Best, double? Worst)> SearchAsync(CancellationToken cancellationToken)
    {
        double best = 0;
        double? worst = null;
        double rate = template.Rate ?? FirstRate;
        while (_points.Count < MostRuns && !IsNarrow(best, worst) && await MeasureAsync(rate, cancellationToken).ConfigureAwait(false) is { } point)
        {
            _points.Add(point);
            Finished?.Invoke(point);
            (best, worst) = point.Holds ? (rate, worst) : (best, rate);
            rate = worst is { } upper ? (best + upper) / 2 : best * 2;
        }

        return (best, worst);
    }

    // If no rate is found that holds, the search goes down to one message a second.
    private static bool IsNarrow(double best, double? worst) => worst is { } upper && (upper - best < Precision * upper || upper <= 1);

    // Null if the user ended the search: a run that was cut short does not show whether its rate holds.
    private async Task<SweepPoint?> MeasureAsync(double rate, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return null;
        }

        Starting?.Invoke(rate);
        try
        {
            RunResult result = await Run(template with { Rate = rate }, cancellationToken).ConfigureAwait(false);
            string? reason = FindBroken(result);
            return result.Aborted ? null : new SweepPoint(rate, reason is null, reason, result);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return null;
        }
        catch (Exception exception) when (_points.Count > 0 || exception is not BenchmarkException { IsBadInput: true })
        {
            // Earlier measurements are kept, regardless of the failure of this run. Input that is not valid also fails the first run.
            return new SweepPoint(rate, false, exception.Message, null);
        }
    }

    private string? FindBroken(RunResult result)
    {
        if (!result.Valid)
        {
            return result.InvalidReasons[0];
        }

        if (result.Lost > 0)
        {
            return string.Create(CultureInfo.InvariantCulture, $"{result.Lost:N0} messages were lost");
        }

        LatencyHistogram latency = HistogramCodec.Decode(result.Histogram!);
        return (from limit in limits
                let found = TimeSpan.FromMicroseconds(latency.ValueAtPercentile(limit.Percentile) / 1000.0)
                where found > limit.Bound
                select string.Create(CultureInfo.InvariantCulture, $"{limit.Name} was {found.TotalMilliseconds:0.###} ms")).FirstOrDefault();
    }

    private string Conclude(double? worst, bool aborted)
    {
        if (aborted)
        {
            return "The search was ended before its time.";
        }

        return worst is { } upper
            ? string.Create(CultureInfo.InvariantCulture, $"At {upper:N0} msg/s: {_points.First(point => point.Rate == upper).Reason!.TrimEnd('.')}.")
            : "No rate was found at which they do not hold.";
    }
}
