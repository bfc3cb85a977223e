namespace NetCoreNetworkBenchmark.Tests.Certificates;

/// <summary>The program <c>openssl</c>, if it is installed on this machine.</summary>
internal static class OpenSsl
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(20);

    /// <summary>Starts the program; skips the test if it is not installed.</summary>
    public static Process Start(params string[] arguments)
    {
        try
        {
            return Process.Start(
                new ProcessStartInfo("openssl", arguments) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true })!;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.Skip("This machine has no openssl.");
            throw;
        }
    }

    public static Task<(int ExitCode, string Said)> RunAsync(params string[] arguments) => AskAsync(string.Empty, arguments);

    /// <summary>Runs the program to its end with a text on its standard input.</summary>
    public static async Task<(int ExitCode, string Said)> AskAsync(string input, params string[] arguments)
    {
        using Process process = Start(arguments);
        await process.StandardInput.WriteAsync(input);
        process.StandardInput.Close();
        Task<string> output = process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        Task<string> errors = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(s_deadline, TestContext.Current.CancellationToken);
        return (process.ExitCode, await output + await errors);
    }
}
