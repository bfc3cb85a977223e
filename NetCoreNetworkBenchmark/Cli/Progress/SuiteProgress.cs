using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Sides;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace NetCoreNetworkBenchmark.Cli.Progress;

/// <summary>A live line with the remaining time on a terminal; elsewhere a line for each step, and for each phase if that is requested.</summary>
internal sealed class SuiteProgress(IAnsiConsole console, bool verbose)
{
    private static readonly TimeSpan s_refresh = TimeSpan.FromMilliseconds(250);
    private Step? _step;
    private PhaseLines? _phases;
    private readonly Dictionary<string, List<CaseLaunch>> _invalid = [];
    private long _stepStart;

    public static bool IsLive(IAnsiConsole console) => console.Profile is { Capabilities: { Interactive: true, Ansi: true }, Out.IsTerminal: true };

    /// <param name="run">A session that reports its steps to <see cref="Starting"/> and <see cref="Finished"/>.</param>
    public async Task ShowAsync(Task run)
    {
        await (IsLive(console) ? ShowLiveAsync(run) : run);
        foreach ((string name, List<CaseLaunch> launches) in _invalid)
        {
            Print($"Invalid ({Plural.Format(launches.Count, "time")}): {name}: {launches[^1].Launch.Failure}");
        }
    }

    private Task ShowLiveAsync(Task run) => console.Status().StartAsync("starting", async context =>
    {
        while (await Task.WhenAny(run, Task.Delay(s_refresh)) != run)
        {
            context.Status(Markup.Escape(LiveLine()));
        }

        await run;
    });

    public void Starting(Step step)
    {
        _stepStart = Stopwatch.GetTimestamp();
        _phases = verbose && !IsLive(console) ? new PhaseLines(Print, NameOf(step)) : null;
        Volatile.Write(ref _step, step);
    }

    public void Progress(RunProgress progress) => _phases?.Report(progress);

    public void Finished(Step step)
    {
        IReadOnlyList<CaseLaunch> launches = step.Launches;
        foreach (CaseLaunch launch in launches.Where(launch => launch.Launch.Result is { Valid: false }))
        {
            string name = $"{launch.Case.Benchmark.Title}, {launch.Case.Name}";
            _invalid.TryAdd(name, []);
            _invalid[name].Add(launch);
        }

        string outcome = launches is [{ Launch: var only }]
            ? OutcomeOf(only)
            : string.Join("; ", launches.Select(launch => $"{launch.Case.Name} {OutcomeOf(launch.Launch)}"));
        string width = step.Decision is { HalfWidth: > 0 and var half } decision
            ? Invariant($"; within {(half > 1 ? "±>100 %" : $"±{half:P1}")}, target ±{decision.TargetHalfWidth:0.## %}")
            : string.Empty;
        string max = step.MayEndBefore ? "at most " : string.Empty;
        string left = step.ExpectedAfter > TimeSpan.Zero ? $" ({max}{Format.Clock(step.ExpectedAfter)} left)" : string.Empty;
        Print($"{NameOf(step)}: {outcome}{width}{left}");
    }

    private static string OutcomeOf(LaunchResult launch) => launch.Result is { } result
        ? Invariant($"{result.MessagesPerSecond:N0} msg/s") + (result.Valid ? string.Empty : ", INVALID")
        : $"FAILED: {launch.Failure}";

    private void Print(string line)
    {
        if (IsLive(console))
        {
            // Written through Spectre, which keeps its live line below.
            console.Write(new LineAboveLive(line));
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

        return $"{NameOf(step)} ({RemainingOf(step, Stopwatch.GetElapsedTime(_stepStart))})";
    }

    internal static string RemainingOf(Step step, TimeSpan elapsed) =>
        elapsed <= step.Expected ? $"{Format.Clock(step.Expected - elapsed + step.ExpectedAfter)} left"
        : step.ExpectedAfter > TimeSpan.Zero ? $"more than {Format.Clock(step.ExpectedAfter)} left"
        : $"{Format.Clock(elapsed - step.Expected)} longer than estimated";

    // Spectre writes over its live line, and clears it only as far as the first line of the text.
    private sealed class LineAboveLive(string line) : Renderable
    {
        private const string EraseBelow = "\u001b[J";

        protected override IEnumerable<Segment> Render(RenderOptions options, int maxWidth) =>
            [Segment.Control(EraseBelow), .. ((IRenderable)new Text($"{line}\n")).Render(options, maxWidth)];
    }

    private static string NameOf(Step step) => Invariant($"[{step.Place}/{step.Count}] {step.Name}");
}

/// <summary>The output of <c>--verbose</c> if standard error is not a terminal.</summary>
internal sealed class PhaseLines(Action<string> write, string what)
{
    private readonly Lock _writing = new();
    private RunPhase? _last;

    public static string NameOf(RunPhase phase) => phase switch
    {
        RunPhase.Connect => "connecting",
        RunPhase.WarmUp => "warming up",
        RunPhase.Measure => "measuring",
        _ => "ending",
    };

    /// <summary>Each process of the run calls it, on a thread of its own.</summary>
    public void Report(RunProgress progress)
    {
        lock (_writing)
        {
            // The last progress report of a process may be from the previous phase.
            if (_last is null || progress.Phase > _last)
            {
                _last = progress.Phase;
                write($"{what}: {NameOf(progress.Phase)}");
            }
        }
    }
}
