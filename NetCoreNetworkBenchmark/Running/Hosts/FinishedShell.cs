using System.ComponentModel;
using System.Diagnostics;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Hosts;

/// <summary>A short command that has ended.</summary>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Output">Its standard output.</param>
/// <param name="Error">Its standard error.</param>
internal sealed record FinishedShell(int ExitCode, string Output, string Error)
{
    /// <summary>The last line of standard error, without a full stop.</summary>
    public string LastError => Error.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).LastOrDefault()?.TrimEnd('.')
        ?? "it said nothing";

    /// <summary>Runs a command to its end. It is ended when its deadline has passed.</summary>
    /// <exception cref="BenchmarkException">The command cannot be started, or did not end in time.</exception>
    public static async Task<FinishedShell> RunAsync(ProcessStartInfo start, TimeSpan deadline, CancellationToken cancellationToken)
    {
        (start.RedirectStandardInput, start.RedirectStandardOutput, start.RedirectStandardError) = (true, true, true);
        using Process process = Start(start);
        process.StandardInput.Close();
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        over.CancelAfter(deadline);
        try
        {
            Task<string> output = process.StandardOutput.ReadToEndAsync(over.Token);
            Task<string> error = process.StandardError.ReadToEndAsync(over.Token);
            await process.WaitForExitAsync(over.Token).ConfigureAwait(false);
            return new FinishedShell(process.ExitCode, await output.ConfigureAwait(false), await error.ConfigureAwait(false));
        }
        catch (OperationCanceledException exception)
        {
            process.Kill(entireProcessTree: true);
            cancellationToken.ThrowIfCancellationRequested();
            throw new BenchmarkException(
                FormattableString.Invariant($"'{start.FileName} {string.Join(' ', start.ArgumentList)}' did not end within {deadline.TotalSeconds:0.#} s."),
                exception);
        }
    }

    private static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception exception)
        {
            throw new BenchmarkException($"'{start.FileName}' could not be started: {exception.Message.TrimEnd('.')}.", exception);
        }
    }
}
