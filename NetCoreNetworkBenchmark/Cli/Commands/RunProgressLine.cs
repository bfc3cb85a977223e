using System.Globalization;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Phases;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>
/// Reports the progress of a single run on standard error: a live line on a terminal, or a line for each phase elsewhere if the user requests it.
/// </summary>
internal static class RunProgressLine
{
    // If standard error is redirected, Spectre is not loaded, so that the first message does not have to wait for it.
    public static Task<RunResult> ShowAsync(CommandContext context, bool verbose, Func<Action<RunProgress>?, Task<RunResult>> run)
    {
        Action<RunProgress>? lines = verbose ? new PhaseLines(context.Errors.WriteLine, "Run").Tell : null;
        return context.ErrorsAreRedirected ? run(lines) : ShowLiveAsync(context, lines, run);
    }

    private static Task<RunResult> ShowLiveAsync(CommandContext context, Action<RunProgress>? lines, Func<Action<RunProgress>?, Task<RunResult>> run)
    {
        IAnsiConsole console = context.ErrorConsole;
        return console.Profile.Capabilities.Interactive && console.Profile.Out.IsTerminal
            ? console.Status().StartAsync("starting", live => run(progress => live.Status(Line(progress))))
            : run(lines);
    }

    private static string Line(RunProgress progress)
    {
        string phase = PhaseLines.NameOf(progress.Phase);
        return progress.PhaseLength is { } length
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"{phase}, {(length - progress.PhaseElapsed).TotalSeconds:0} s left, {progress.MessagesPerSecond:N0} msg/s")
            : phase;
    }
}
