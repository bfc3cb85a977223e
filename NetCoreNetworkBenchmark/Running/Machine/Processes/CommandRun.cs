using System.ComponentModel;
using System.Text;

namespace NetCoreNetworkBenchmark.Running.Machine.Processes;

internal sealed record CommandRun(int ExitCode, string Output, string Errors)
{
    /// <summary>The last line of standard error, or else of standard output, fit for the middle of a sentence.</summary>
    public string Reason => PrintableText.LastLineOf(Errors) ?? PrintableText.LastLineOf(Output) ?? $"exit code {ExitCode}";

    // A child that outlives the command, such as the master of ssh's ControlPersist, may keep the output open.
    private static readonly TimeSpan s_outputAllowance = TimeSpan.FromSeconds(1);

    /// <exception cref="BenchmarkException">The command cannot be started. The message is the reason alone.</exception>
    /// <exception cref="TimeoutException">The deadline has passed. The command has been ended.</exception>
    public static async Task<CommandRun> RunAsync(ProcessStartInfo start, Stream? input, TimeSpan deadline, CancellationToken cancellationToken)
    {
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        using Process process = Start(start);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(deadline);
        try
        {
            var output = new StringBuilder();
            var errors = new StringBuilder();
            Task read = Task.WhenAll(ReadAsync(process.StandardOutput, output, limit.Token), ReadAsync(process.StandardError, errors, limit.Token));
            await FeedAsync(process, input, limit.Token);
            await process.WaitForExitAsync(limit.Token);
            if (await Task.WhenAny(read, Task.Delay(s_outputAllowance, limit.Token)) == read)
            {
                await read;
            }
            else
            {
                await limit.CancelAsync();
            }

            return new CommandRun(process.ExitCode, Read(output), Read(errors));
        }
        catch (OperationCanceledException exception)
        {
            process.Kill(entireProcessTree: true);
            cancellationToken.ThrowIfCancellationRequested();
            throw new TimeoutException(Invariant($"it did not end within {deadline.TotalSeconds:0.#} s"), exception);
        }
    }

    private static async Task ReadAsync(StreamReader reader, StringBuilder text, CancellationToken cancellationToken)
    {
        char[] buffer = new char[4_096];
        while (await reader.ReadAsync(buffer, cancellationToken) is > 0 and var count)
        {
            lock (text)
            {
                text.Append(buffer, 0, count);
            }
        }
    }

    private static string Read(StringBuilder text)
    {
        lock (text)
        {
            return text.ToString();
        }
    }

    private static ChildProcess Start(ProcessStartInfo start)
    {
        string program = start.FileName;
        try
        {
            return ChildProcess.Start(start);
        }
        catch (Win32Exception exception)
        {
            throw new BenchmarkException($"'{program}' cannot be started ({exception.Message.TrimEnd('.')})", exception);
        }
    }

    private static async Task FeedAsync(Process process, Stream? input, CancellationToken cancellationToken)
    {
        Stream fed = process.StandardInput.BaseStream;
        try
        {
            await using (fed)
            {
                await (input ?? Stream.Null).CopyToAsync(fed, cancellationToken);
            }
        }
        catch (IOException)
        {
            // The command has ended before it has read everything. Its exit code and its errors report why.
            return;
        }
    }
}
