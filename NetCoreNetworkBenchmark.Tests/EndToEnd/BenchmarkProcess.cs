using System.Diagnostics;
using NetCoreNetworkBenchmark.Running;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The real program in a process of its own, as a user starts it.</summary>
internal sealed class BenchmarkProcess : IDisposable
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(120);
    private readonly Process _process;
    private readonly Task<string> _output;
    private readonly Task<string> _errors;

    private BenchmarkProcess(IEnumerable<string> arguments)
    {
        string program = typeof(Catalog).Assembly.Location;
        var start = new ProcessStartInfo("dotnet", [program, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // A culture that writes numbers in another way: results must not.
        start.Environment["LC_ALL"] = "de_DE.UTF-8";
        _process = Process.Start(start)!;
        _output = _process.StandardOutput.ReadToEndAsync();
        _errors = _process.StandardError.ReadToEndAsync();
    }

    public static BenchmarkProcess Start(params string[] arguments) => new(arguments);

    public static async Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] arguments)
    {
        using BenchmarkProcess process = Start(arguments);
        return await process.EndAsync(s_deadline);
    }

    public static Task<(int ExitCode, string Output, string Errors)> RunLineAsync(string arguments) =>
        RunAsync(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    public async Task<(int ExitCode, string Output, string Errors)> EndAsync(TimeSpan deadline)
    {
        await _process.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(deadline, TestContext.Current.CancellationToken);
        return (_process.ExitCode, await _output, await _errors);
    }

    /// <summary>Ctrl+C, as a terminal sends it to this process alone.</summary>
    public async Task InterruptAsync()
    {
        using Process kill = Process.Start("kill", ["-INT", $"{_process.Id}"]);
        await kill.WaitForExitAsync(TestContext.Current.CancellationToken);
    }

    /// <summary>Ends this process's only child at once, as a crash would.</summary>
    public void KillChild()
    {
        string[] children = [.. Directory.GetDirectories($"/proc/{_process.Id}/task")
            .SelectMany(thread => File.ReadAllText(Path.Combine(thread, "children")).Split(' ', StringSplitOptions.RemoveEmptyEntries))];
        using Process child = Process.GetProcessById(int.Parse(Assert.Single(children), System.Globalization.CultureInfo.InvariantCulture));
        child.Kill();
    }

    public void CloseInput() => _process.StandardInput.Close();

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
        }

        _process.Dispose();
    }
}
