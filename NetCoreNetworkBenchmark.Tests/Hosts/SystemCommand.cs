namespace NetCoreNetworkBenchmark.Tests.Hosts;

internal static class SystemCommand
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(1);

    /// <summary>Runs a command without input to its end. It is killed at the deadline.</summary>
    public static Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] command) =>
        RunAsync(new ProcessStartInfo(command[0], command[1..]), s_deadline);

    /// <summary>The same with a folder, an environment and a deadline.</summary>
    public static async Task<(int ExitCode, string Output, string Errors)> RunAsync(ProcessStartInfo start, TimeSpan deadline)
    {
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        using Process process = Process.Start(start)!;
        process.StandardInput.Close();
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        try
        {
            // Not the token of the test: a test that is cancelled still removes its network with these commands.
            await process.WaitForExitAsync(CancellationToken.None).WaitAsync(deadline, CancellationToken.None);

            // A background process that inherited the pipes could keep them open.
            string[] said = await Task.WhenAll(output, errors).WaitAsync(deadline, CancellationToken.None);
            return (process.ExitCode, said[0], said[1]);
        }
        catch (TimeoutException)
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"'{string.Join(' ', start.ArgumentList.Prepend(start.FileName))}' has not ended after {deadline.TotalSeconds} s.");
        }
    }

    public static async Task<string> RequireAsync(params string[] command)
    {
        (int exitCode, string output, string errors) = await RunAsync(command);
        return exitCode == 0
            ? output
            : throw new InvalidOperationException($"'{string.Join(' ', command)}' ended with exit code {exitCode}: {errors.Trim()}");
    }
}
