using System.Diagnostics;
using System.Globalization;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>
/// Tells on standard error what runs: on a terminal one live line with the time left, elsewhere a line at each run's begin and end.
/// </summary>
internal sealed class SuiteProgress(IAnsiConsole console)
{
    private static readonly TimeSpan s_refresh = TimeSpan.FromMilliseconds(250);
    private SuiteStep? _step;
    private long _stepStart;

    private bool IsLive => console.Profile.Capabilities.Interactive && console.Profile.Out.IsTerminal;

    /// <summary>Shows progress while the suite runs.</summary>
    public async Task<SuiteResult> ShowAsync(Func<Task<SuiteResult>> run)
    {
        if (!IsLive)
        {
            return await run().ConfigureAwait(false);
        }

        return await console.Status().StartAsync("starting", async context =>
        {
            Task<SuiteResult> running = run();
            while (await Task.WhenAny(running, Task.Delay(s_refresh)).ConfigureAwait(false) != running)
            {
                context.Status(Markup.Escape(LiveLine()));
            }

            return await running.ConfigureAwait(false);
        }).ConfigureAwait(false);
    }

    public void Starting(SuiteStep step)
    {
        _stepStart = Stopwatch.GetTimestamp();
        Volatile.Write(ref _step, step);
        if (!IsLive)
        {
            Say($"[{step.Number}/{step.Count}] {step.Title}, {step.Library} ({Left(step, TimeSpan.Zero)} left)");
        }
    }

    public void Finished(SuiteStep step, LibraryRun run)
    {
        string outcome = run.Result is { } result
            ? string.Create(CultureInfo.InvariantCulture, $"{result.MessagesPerSecond:N0} msg/s{(result.Valid ? string.Empty : $", INVALID: {run.Failure}")}")
            : $"FAILED: {run.Failure}";
        Say($"[{step.Number}/{step.Count}] {step.Title}, {step.Library}: {outcome}");
    }

    private void Say(string line)
    {
        if (IsLive)
        {
            // Through Spectre, which keeps its live line below.
            console.Write(new Text($"{line}\n"));
        }
        else
        {
            // A line is a line, whatever the width of the console.
            console.Profile.Out.Writer.WriteLine(line);
        }
    }

    private string LiveLine() => Volatile.Read(ref _step) is { } step
        ? $"[{step.Number}/{step.Count}] {step.Title}, {step.Library} ({Left(step, Stopwatch.GetElapsedTime(_stepStart))} left)"
        : "starting";

    private static string Left(SuiteStep step, TimeSpan elapsed)
    {
        TimeSpan ofThis = step.Expected > elapsed ? step.Expected - elapsed : TimeSpan.Zero;
        return (ofThis + step.ExpectedAfter).ToString(@"m\:ss", CultureInfo.InvariantCulture);
    }
}
