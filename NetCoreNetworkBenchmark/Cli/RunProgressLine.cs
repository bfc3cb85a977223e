using System.Globalization;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Tells on standard error, on a terminal only, what a single run is doing.</summary>
internal static class RunProgressLine
{
    public static async Task<RunResult> ShowAsync(IAnsiConsole console, Func<Action<RunProgress>?, Task<RunResult>> run)
    {
        if (!console.Profile.Capabilities.Interactive || !console.Profile.Out.IsTerminal)
        {
            return await run(null).ConfigureAwait(false);
        }

        return await console.Status().StartAsync(
            "starting", context => run(progress => context.Status(Line(progress)))).ConfigureAwait(false);
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
