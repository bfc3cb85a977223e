using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Running.Suites;
using Spectre.Console;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Cli.Progress;

/// <summary>
/// Reports progress on standard error: a live line with the remaining time on a terminal, and a line for each step everywhere. If standard error
/// is not a terminal, also a line for each phase if the user requests it.
/// </summary>
internal sealed class SuiteProgress(IAnsiConsole console, bool verbose)
{
    private static readonly TimeSpan s_refresh = TimeSpan.FromMilliseconds(250);
    private SuiteStep? _step;
    private PhaseLines? _phases;
    private long _stepStart;

    public static bool IsLive(IAnsiConsole console) => console.Profile is { Capabilities: { Interactive: true, Ansi: true }, Out.IsTerminal: true };

    public async Task<SuiteResult> ShowAsync(Func<Task<SuiteResult>> run)
    {
        if (!IsLive(console))
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
        _phases = verbose && !IsLive(console) ? new PhaseLines(Print, NameOf(step)) : null;
        Volatile.Write(ref _step, step);
    }

    public void Progress(RunProgress progress) => _phases?.Report(progress);

    public void Finished(SuiteStep step, IReadOnlyList<CaseLaunch> launches)
    {
        string outcome = launches is [{ Launch: var only }]
            ? OutcomeOf(only)
            : string.Join("; ", launches.Select(launch => $"{launch.Case.Name} {OutcomeOf(launch.Launch)}"));
        string width = step.Decision is { HalfWidth: { } half } decision ? Invariant($"; within ±{half:P1}, aim ±{decision.Aim:P0}") : string.Empty;
        Print($"{NameOf(step)}: {outcome}{width} ({Text(step.ExpectedAfter)} left)");
    }

    private static string OutcomeOf(LaunchResult launch) => launch.Result is { } result
        ? Invariant($"{result.MessagesPerSecond:N0} msg/s") + (result.Valid ? string.Empty : $", INVALID: {launch.Failure}")
        : $"FAILED: {launch.Failure}";

    private void Print(string line)
    {
        if (IsLive(console))
        {
            // Written through Spectre, which keeps its live line below.
            console.Write(new Text($"{line}\n"));
        }
        else
        {
            // A line is not wrapped, independent of the width of the console.
            console.Profile.Out.Writer.WriteLine(line);
        }
    }

    private string LiveLine()
    {
        if (Volatile.Read(ref _step) is not { } step)
        {
            return "starting";
        }

        TimeSpan elapsed = Stopwatch.GetElapsedTime(_stepStart);
        TimeSpan ofThis = step.Expected > elapsed ? step.Expected - elapsed : TimeSpan.Zero;
        return $"{NameOf(step)} ({Text(ofThis + step.ExpectedAfter)} left)";
    }

    private static string NameOf(SuiteStep step) => Invariant($"[{step.Number}/{step.Count}] {step.Name}");

    private static string Text(TimeSpan left) =>
        left.TotalHours < 1 ? Invariant($@"{left:m\:ss}") : Invariant($@"{Math.Floor(left.TotalHours)}:{left:mm\:ss}");
}

/// <summary>Reports each phase that a run enters on a separate line, for <c>--verbose</c> if standard error is not a terminal.</summary>
internal sealed class PhaseLines(Action<string> write, string what)
{
    private RunPhase? _last;

    public static string NameOf(RunPhase phase) => phase switch
    {
        RunPhase.Connect => "connecting",
        RunPhase.WarmUp => "warming up",
        RunPhase.Measure => "measuring",
        _ => "ending",
    };

    /// <summary>Reports the phase if the run has just entered it. Calls must not overlap.</summary>
    public void Report(RunProgress progress)
    {
        // The last progress report of a process may be from the previous phase.
        if (_last is null || progress.Phase > _last)
        {
            _last = progress.Phase;
            write($"{what}: {NameOf(progress.Phase)}");
        }
    }
}
