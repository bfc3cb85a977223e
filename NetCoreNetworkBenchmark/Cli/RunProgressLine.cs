using System.Globalization;
using NetCoreNetworkBenchmark.Cli.Commands;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Tells on standard error, on a terminal only, what a single run is doing.</summary>
internal static class RunProgressLine
{
    // Where nobody watches, Spectre is not even loaded: the first message need not wait for it.
    public static Task<RunResult> ShowAsync(CommandContext context, Func<Action<RunProgress>?, Task<RunResult>> run) =>
        context.ErrorsAreRedirected ? run(null) : ShowLiveAsync(context, run);

    private static Task<RunResult> ShowLiveAsync(CommandContext context, Func<Action<RunProgress>?, Task<RunResult>> run)
    {
        IAnsiConsole console = context.ErrorConsole;
        return console.Profile.Capabilities.Interactive && console.Profile.Out.IsTerminal
            ? console.Status().StartAsync("starting", live => run(progress => live.Status(Line(progress))))
            : run(null);
    }

    private static string Line(RunProgress progress)
    {
        string phase = progress.Phase switch
        {
            RunPhase.Connect => "connecting",
            RunPhase.WarmUp => "warming up",
            RunPhase.Measure => "measuring",
            _ => "ending",
        };
        return progress.PhaseLength is { } length
            ? string.Create(CultureInfo.InvariantCulture, $"{phase}, {(length - progress.PhaseElapsed).TotalSeconds:0} s left, {progress.MessagesPerSecond:N0} msg/s")
            : phase;
    }
}
