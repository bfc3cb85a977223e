using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Threading.Channels;
using NetCoreNetworkBenchmark.Running;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The real program in a process of its own, as a user starts it.</summary>
internal sealed class BenchmarkProcess : IDisposable
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(120);
    private readonly Process _process;
    private readonly Task<string> _output;
    private readonly Task<string> _errors;
    private readonly Channel<string> _errorLines = Channel.CreateUnbounded<string>();

    private BenchmarkProcess(IEnumerable<string> arguments, Dictionary<string, string> environment)
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
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        _process = Process.Start(start)!;
        _output = _process.StandardOutput.ReadToEndAsync();
        _errors = ReadErrorsAsync();
    }

    public static BenchmarkProcess Start(params string[] arguments) => new(arguments, []);

    public static Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] arguments) => RunWithAsync([], arguments);

    /// <summary>Runs it with variables of the environment besides those of this process.</summary>
    public static async Task<(int ExitCode, string Output, string Errors)> RunWithAsync(Dictionary<string, string> environment, params string[] arguments)
    {
        using var process = new BenchmarkProcess(arguments, environment);
        return await process.EndAsync(s_deadline);
    }

    public static Task<(int ExitCode, string Output, string Errors)> RunLineAsync(string arguments) =>
        RunAsync(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    public async Task<(int ExitCode, string Output, string Errors)> EndAsync(TimeSpan deadline)
    {
        await _process.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(deadline, TestContext.Current.CancellationToken);
        return (_process.ExitCode, await _output, await _errors);
    }

    /// <summary>The process' id.</summary>
    public int Id => _process.Id;

    /// <summary>CPU time of all threads so far, as the system counts it.</summary>
    public TimeSpan CpuTime
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    /// <summary>Waits for a line on standard error that has these words in it.</summary>
    public async Task<string> SaysAsync(string words)
    {
        while (true)
        {
            string line = await _errorLines.Reader.ReadAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(s_deadline);
            if (line.Contains(words, StringComparison.Ordinal))
            {
                return line;
            }
        }
    }

    /// <summary>Ctrl+C, as a terminal sends it to this process alone.</summary>
    public Task InterruptAsync() => SignalAsync("INT", _process.Id);

    /// <summary>The processes that this one has started and that still run, the first started first (Linux).</summary>
    public int[] Children() =>
        [.. Directory.GetDirectories($"/proc/{_process.Id}/task")
            .SelectMany(thread => File.ReadAllText(Path.Combine(thread, "children")).Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Select(child => int.Parse(child, CultureInfo.InvariantCulture))
            .OrderBy(StartedAt)];

    /// <summary>Waits until so many child processes run, and then until they have begun to measure.</summary>
    /// <returns>Their ids, the first started first.</returns>
    public async Task<int[]> MeasuringChildrenAsync(int count)
    {
        await ChildrenAsync(count);
        await StartedAsync();
        return Children();
    }

    // Ids are given anew from the lowest when they run out, so their order tells nothing.
    private static DateTime StartedAt(int process)
    {
        using Process started = Process.GetProcessById(process);
        return started.StartTime;
    }

    /// <summary>Waits until this one has started so many processes (Linux).</summary>
    public async Task<int[]> ChildrenAsync(int count)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        deadline.CancelAfter(s_deadline);
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        while (Children().Length < count)
        {
            await timer.WaitForNextTickAsync(deadline.Token);
        }

        return Children();
    }

    /// <summary>Sends a signal to a process, such as KILL.</summary>
    public static async Task SignalAsync(string signal, int process)
    {
        using Process kill = Process.Start("kill", [$"-{signal}", $"{process}"]);
        await kill.WaitForExitAsync(TestContext.Current.CancellationToken);
    }

    /// <summary>Long enough for the program to have begun to measure; where it has not on a slow machine, the assertions say so.</summary>
    public static Task StartedAsync() => Task.Delay(TimeSpan.FromSeconds(3), TestContext.Current.CancellationToken);

    /// <summary>The lines on standard error that do not come from the machine's state.</summary>
    public static string[] WithoutWarnings(string errors) =>
        [.. errors.Split('\n', StringSplitOptions.RemoveEmptyEntries).Where(line => !line.StartsWith("Warning: ", StringComparison.Ordinal))];

    public void Kill() => _process.Kill(entireProcessTree: true);

    public void CloseInput() => _process.StandardInput.Close();

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
        }

        _process.Dispose();
    }

    private async Task<string> ReadErrorsAsync()
    {
        var all = new StringBuilder();
        while (await _process.StandardError.ReadLineAsync() is { } line)
        {
            all.Append(line).Append('\n');
            _errorLines.Writer.TryWrite(line);
        }

        _errorLines.Writer.Complete();
        return all.ToString();
    }
}
