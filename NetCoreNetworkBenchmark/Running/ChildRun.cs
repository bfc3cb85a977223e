using System.Diagnostics;
using System.Text.Json;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>
/// One run in a fresh process of this same program, so that no library inherits what another left behind: a warm JIT, a grown
/// heap, a crash. The child gets a deadline; when its input ends it aborts and still tells what it measured.
/// </summary>
internal static class ChildRun
{
    /// <summary>The hidden option that makes a run watch its input.</summary>
    public const string Option = "--child";

    // For starting the process and the runtime, and for ending them.
    private static readonly TimeSpan s_processAllowance = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan s_abortAllowance = TimeSpan.FromSeconds(1.5);

    /// <summary>What a run may take with all its phases at their deadlines.</summary>
    public static TimeSpan DeadlineOf(RunPlan plan) =>
        plan.ConnectDeadline + plan.WarmUp + plan.Duration + plan.LossDeadline + (2 * plan.StopDeadline) + s_processAllowance;

    /// <summary>Runs the plan and waits for its result until the deadline.</summary>
    public static async Task<LibraryRun> RunAsync(RunPlan plan, TimeSpan deadline, CancellationToken cancellationToken)
    {
        using Process process = Start(plan);
        Task<string> output = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        Task<string> errors = process.StandardError.ReadToEndAsync(CancellationToken.None);
        bool hung = !await ExitsAsync(process, deadline, cancellationToken).ConfigureAwait(false);
        if (hung && cancellationToken.IsCancellationRequested)
        {
            process.StandardInput.Close();
            hung = !await ExitsAsync(process, s_abortAllowance, CancellationToken.None).ConfigureAwait(false);
        }

        if (hung)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync(CancellationToken.None).WaitAsync(plan.StopDeadline, CancellationToken.None).ConfigureAwait(false);
        }

        return Read(
            plan,
            hung,
            deadline,
            process.ExitCode,
            await output.WaitAsync(plan.StopDeadline, CancellationToken.None).ConfigureAwait(false),
            await errors.WaitAsync(plan.StopDeadline, CancellationToken.None).ConfigureAwait(false));
    }

    private static Process Start(RunPlan plan)
    {
        string program = Environment.ProcessPath ?? throw new InvalidOperationException("The path of this program is not known.");
        var start = new ProcessStartInfo(program)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // Started as 'dotnet NetCoreNetworkBenchmark.dll', the process is dotnet and needs to be told the program.
        if (Path.GetFileNameWithoutExtension(program).Equals("dotnet", StringComparison.OrdinalIgnoreCase))
        {
            start.ArgumentList.Add(Environment.GetCommandLineArgs()[0]);
        }

        foreach (string argument in PlanArguments.Of(plan).Concat(["--json", Option]))
        {
            start.ArgumentList.Add(argument);
        }

        return Process.Start(start)!;
    }

    private static async Task<bool> ExitsAsync(Process process, TimeSpan deadline, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        over.CancelAfter(deadline);
        try
        {
            await process.WaitForExitAsync(over.Token).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException)
        {
            return process.HasExited;
        }
    }

    private static LibraryRun Read(RunPlan plan, bool hung, TimeSpan deadline, int exitCode, string output, string errors)
    {
        RunResult? result = TryParse(output);
        if (result is not null)
        {
            return new LibraryRun(plan.Library, result, result.Valid ? null : string.Join(' ', result.InvalidReasons));
        }

        string said = errors.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).LastOrDefault() ?? "it said nothing";
        string failure = hung
            ? FormattableString.Invariant($"It hung past its deadline of {deadline.TotalSeconds:0.#} s and was ended.")
            : exitCode is 1 or 2 ? said : $"Its process broke down with exit code {exitCode}: {said}";
        return new LibraryRun(plan.Library, null, failure);
    }

    private static RunResult? TryParse(string output)
    {
        try
        {
            return output.Length == 0 ? null : JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult);
        }
        catch (JsonException)
        {
            // A child that broke down while it wrote has no result; its exit code and last words tell why.
            return null;
        }
    }
}
