using System.Threading.Channels;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The real program in a process of its own, as a user starts it.</summary>
internal sealed class BenchmarkProcess : IDisposable
{
    // Long enough that only a program that hangs is detected, and not a slow machine.
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan s_wholeRunDeadline = TimeSpan.FromMinutes(15);
    private readonly Process _process;
    private readonly Task<string> _output;
    private readonly Task<string> _errors;
    private readonly Channel<string> _lines = Channel.CreateUnbounded<string>();

    // A build for Windows brings the runtime, so that no dotnet is there.
    private BenchmarkProcess(IEnumerable<string> arguments, Dictionary<string, string?> environment)
        : this(
            OperatingSystem.IsWindows() ? Executable : "dotnet",
            OperatingSystem.IsWindows() ? arguments : [typeof(Catalog).Assembly.Location, .. arguments],
            environment)
    {
    }

    private BenchmarkProcess(string file, IEnumerable<string> arguments, Dictionary<string, string?> environment, bool printsOutput = false)
    {
        var start = new ProcessStartInfo(file, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // A culture with another number format, which results must not use.
        start.Environment["LC_ALL"] = "de_DE.UTF-8";
        foreach ((string name, string? value) in environment)
        {
            start.Environment[name] = value;
        }

        if (OperatingSystem.IsWindows())
        {
            // Ctrl+Break reaches the processes of one group.
            start.CreateNewProcessGroup = true;
        }

        _process = Process.Start(start)!;
        _output = printsOutput ? ReadLinesAsync(_process.StandardOutput) : _process.StandardOutput.ReadToEndAsync();
        _errors = ReadLinesAsync(_process.StandardError);
        _ = Task.WhenAll(printsOutput ? [_output, _errors] : [_errors]).ContinueWith(_ => _lines.Writer.Complete(), TaskScheduler.Default);
    }

    /// <summary>The file that the system starts by itself.</summary>
    public static string Executable => Path.ChangeExtension(typeof(Catalog).Assembly.Location, OperatingSystem.IsWindows() ? ".exe" : null);

    public static BenchmarkProcess Start(params string[] arguments) => new(arguments, []);

    /// <summary>Starts another program, whose lines on standard output are waited for as those on standard error.</summary>
    public static BenchmarkProcess StartAssembly(string assembly, params string[] arguments) =>
        new("dotnet", [assembly, .. arguments], [], printsOutput: true);

    /// <summary>Starts the program with at most this number of open descriptors.</summary>
    public static BenchmarkProcess StartWithDescriptors(int max, params string[] arguments) =>
        new("sh", ["-c", $"ulimit -n {max} && exec dotnet \"$@\"", "sh", typeof(Catalog).Assembly.Location, .. arguments], []);

    /// <summary>Starts the program through another one, which executes the command line that follows its own arguments.</summary>
    public static BenchmarkProcess StartThrough(string[] launcher, params string[] arguments) =>
        new(launcher[0], [.. launcher[1..], "dotnet", typeof(Catalog).Assembly.Location, .. arguments], []);

    /// <summary>Runs the program through another one, which executes the command line that follows its own arguments.</summary>
    public static async Task<(int ExitCode, string Output, string Errors)> RunThroughAsync(string[] launcher, params string[] arguments)
    {
        using BenchmarkProcess process = StartThrough(launcher, arguments);
        return await process.EndAsync(s_wholeRunDeadline);
    }

    /// <summary>Runs a measurement with <c>--json</c> in a network namespace of its own, after a command that prepares it. It must end with success.</summary>
    public static async Task<RunResult> ResultInNamespaceAsync(string prepare, string arguments)
    {
        (int ExitCode, string Output, string Errors) run = await RunThroughAsync(
            ["unshare", "-n", "sh", "-c", $"{prepare} && exec \"$@\"", "sh"], HostRun.Words(arguments));
        Assert.SkipWhen(run.Errors.Contains("unshare failed", StringComparison.Ordinal), "This user cannot make a network namespace.");
        return ResultOf(run, arguments);
    }

    public static Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] arguments) => RunWithAsync([], arguments);

    /// <summary>Runs the program with environment variables in addition to those of this process, without those that are null.</summary>
    public static async Task<(int ExitCode, string Output, string Errors)> RunWithAsync(Dictionary<string, string?> environment, params string[] arguments)
    {
        using var process = new BenchmarkProcess(arguments, environment);
        return await process.EndAsync(s_wholeRunDeadline);
    }

    public static async Task<(int ExitCode, string Output, string Errors)> RunAssemblyAsync(string assembly, params string[] arguments)
    {
        using var process = new BenchmarkProcess("dotnet", [assembly, .. arguments], []);
        return await process.EndAsync(s_wholeRunDeadline);
    }

    /// <summary>Runs the program with standard output redirected to a file by the shell.</summary>
    public static async Task<(int ExitCode, string Output, string Errors)> RunToAsync(string file, params string[] arguments)
    {
        using var process = new BenchmarkProcess("sh", ["-c", $"exec dotnet \"$@\" >{file}", "sh", typeof(Catalog).Assembly.Location, .. arguments], []);
        return await process.EndAsync(s_wholeRunDeadline);
    }

    /// <summary>Runs a line of Windows' cmd.exe that begins with the program, after a command.</summary>
    public static async Task<(int ExitCode, string Output, string Errors)> RunThroughShellAsync(string arguments, string first = "rem")
    {
        using var process = new BenchmarkProcess("cmd", ["/c", $"{first} & {Executable} {arguments}"], []);
        return await process.EndAsync(s_wholeRunDeadline);
    }

    public static Task<(int ExitCode, string Output, string Errors)> RunLineAsync(string arguments) => RunAsync(HostRun.Words(arguments));

    /// <summary>Runs a measurement with <c>--json</c>, which must end with success.</summary>
    public static async Task<RunResult> ResultAsync(string arguments) => ResultOf(await RunLineAsync(arguments), arguments);

    /// <summary>Runs a measurement with <c>--json</c> whose result may be invalid, such as on a busy machine.</summary>
    public static async Task<RunResult> AnyResultAsync(string arguments) => AnyResultOf(await RunLineAsync(arguments));

    public static RunResult ResultOf((int ExitCode, string Output, string Errors) run, string arguments)
    {
        Assert.True(run.ExitCode == 0, $"{arguments}: {run.Errors}{run.Output}");
        return AnyResultOf(run);
    }

    public static RunResult AnyResultOf((int ExitCode, string Output, string Errors) run)
    {
        Assert.True(run.Output.Length > 0, run.Errors);
        return JsonSerializer.Deserialize(run.Output, ResultJson.Readable.RunResult)!;
    }

    /// <summary>Starts a server by hand on a free port, and waits until it listens.</summary>
    public static Task<BenchmarkProcess> StartServerAsync(string arguments) => StartServerWithAsync([], arguments);

    /// <summary>Starts a server by hand with environment variables in addition to those of this process.</summary>
    public static async Task<BenchmarkProcess> StartServerWithAsync(Dictionary<string, string?> environment, string arguments)
    {
        var server = new BenchmarkProcess($"--role Server -p 0 {arguments}".Split(' ', StringSplitOptions.RemoveEmptyEntries), environment);
        await server.ListensAsync();
        return server;
    }

    /// <summary>Waits for the end of a process that has a reason to end now.</summary>
    public Task<(int ExitCode, string Output, string Errors)> EndAsync() => EndAsync(s_deadline);

    private async Task<(int ExitCode, string Output, string Errors)> EndAsync(TimeSpan deadline)
    {
        await _process.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(deadline, TestContext.Current.CancellationToken);
        return (_process.ExitCode, await _output, await _errors);
    }

    public int Id => _process.Id;

    /// <summary>The CPU time of all threads so far, as counted by the system.</summary>
    public TimeSpan CpuTime
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    public string Port { get; private set; } = string.Empty;

    public async Task ListensAsync() => Port = (await PrintsAsync(" server at 127.0.0.1:")).Split("127.0.0.1:")[1].Split(';')[0];

    /// <summary>Waits for a line that contains these words, on standard error or, of another program, on either stream.</summary>
    public async Task<string> PrintsAsync(string words)
    {
        while (await _lines.Reader.WaitToReadAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(s_deadline))
        {
            if (_lines.Reader.TryRead(out string? line) && line.Contains(words, StringComparison.Ordinal))
            {
                return line;
            }
        }

        throw new InvalidOperationException($"It ended without a word of '{words}': {await _errors}");
    }

    /// <summary>Waits until a run that was started with <c>--verbose</c> measures.</summary>
    public Task MeasuringAsync() => PrintsAsync(": measuring");

    /// <summary>
    /// Sends Ctrl+C as a terminal does, but to this process alone. If the process has inherited that it ignores Ctrl+C, sends the other signal
    /// of the same meaning. On Windows, that is Ctrl+Break.
    /// </summary>
    public Task InterruptAsync() => InterruptAsync(_process.Id);

    public async Task<(int ExitCode, string Output, string Errors)> InterruptedAsync()
    {
        await InterruptAsync();
        return await EndAsync();
    }

    /// <summary>Ends the process, which must end with success, and returns its output.</summary>
    public async Task<string> StopAsync(string signal = "INT")
    {
        await (signal == "INT" ? InterruptAsync() : SignalAsync(signal, Id));
        (int exitCode, string output, string errors) = await EndAsync();
        Assert.True(exitCode == 0, errors);
        return output;
    }

    /// <summary>Ends a server that was started with <c>--json</c>, and returns its result.</summary>
    public async Task<ServerResult> StopServerAsync(string signal = "INT") =>
        JsonSerializer.Deserialize(await StopAsync(signal), ResultJson.Readable.ServerResult)!;

    /// <summary>Sends Ctrl+C as a terminal does: to the whole process group, which this process leads.</summary>
    public Task InterruptGroupAsync() => InterruptAsync(-_process.Id);

    private Task InterruptAsync(int target)
    {
        const int SIGINT = 2;
        if (OperatingSystem.IsWindows())
        {
            bool isSent = SysConsole.GenerateConsoleCtrlEvent(SysConsole.CTRL_BREAK_EVENT, (uint)target);
            Assert.SkipUnless(isSent || !Wine.IsHere, "Wine sends Ctrl+Break to no process group; the script types Ctrl+C in a terminal.");
            Assert.True(isSent, Marshal.GetLastPInvokeErrorMessage());
            return Task.CompletedTask;
        }

        return SignalAsync(Ignores(SIGINT) ? "TERM" : "INT", target);
    }

    /// <summary>The processes that this process started and that still run, in the order of their start (Linux).</summary>
    public int[] Children() => ChildrenOf(_process.Id);

    public static int[] ChildrenOf(int process) =>
        [.. Directory.GetDirectories($"/proc/{process}/task")
            .SelectMany(thread => (SystemFiles.ReadLine(Path.Combine(thread, "children")) ?? string.Empty).Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Select(child => int.Parse(child, CultureInfo.InvariantCulture))
            .OrderBy(StartedAt)];

    /// <summary>Waits until a run that was started with <c>--verbose</c> measures, with so many processes in addition to this one (Linux).</summary>
    /// <returns>The ids of these processes, in the order of their start.</returns>
    public async Task<int[]> MeasuringChildrenAsync(int count)
    {
        await MeasuringAsync();
        int[] children = Children();
        Assert.Equal(count, children.Length);
        return children;
    }

    /// <summary>
    /// Whether the process ignores a signal (Linux). Child processes inherit this: a shell without job control makes its background programs ignore
    /// Ctrl+C, and nohup makes its program ignore that a terminal closes.
    /// </summary>
    /// <param name="signal">The number of the signal.</param>
    public bool Ignores(int signal) => OperatingSystem.IsLinux() && Has("SigIgn", signal);

    /// <summary>Whether the process has a handler for a signal (Linux).</summary>
    public bool Catches(int signal) => Has("SigCgt", signal);

    private bool Has(string mask, int signal) =>
        (Convert.ToUInt64(SystemFiles.StatusOf($"{_process.Id}", mask)!, 16) & (1UL << (signal - 1))) != 0;

    // Process ids start again at the lowest when they run out, so their order has no meaning.
    private static DateTime StartedAt(int process)
    {
        using Process started = Process.GetProcessById(process);
        return started.StartTime;
    }

    /// <summary>Sends a signal, such as KILL, to a process, or to a process group by its negative number.</summary>
    public static async Task SignalAsync(string signal, int process)
    {
        using Process kill = Process.Start("kill", [$"-{signal}", "--", $"{process}"]);
        await kill.WaitForExitAsync(TestContext.Current.CancellationToken);
    }

    /// <summary>The lines on standard error that are not warnings about the state of the machine.</summary>
    public static string[] WithoutWarnings(string errors) =>
        [.. errors.Split('\n', StringSplitOptions.RemoveEmptyEntries).Where(line => !line.StartsWith("Warning: ", StringComparison.Ordinal))];

    /// <summary>The reason for the failure of a run that was started with <c>--verbose</c>, without the other lines of its output.</summary>
    public static string ReasonIn(string errors)
    {
        const string Error = "Error: ";
        string line = Assert.Single(errors.Split('\n'), line => line.StartsWith(Error, StringComparison.Ordinal));
        return line.Replace($"{Error}{typeof(BenchmarkException).FullName}: ", string.Empty, StringComparison.Ordinal);
    }

    public void Kill() => _process.Kill(entireProcessTree: true);

    public void Type(string line) => _process.StandardInput.WriteLine(line);

    public void CloseInput() => _process.StandardInput.Close();

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
        }

        _process.Dispose();
    }

    private async Task<string> ReadLinesAsync(StreamReader reader)
    {
        var all = new StringBuilder();
        while (await reader.ReadLineAsync() is { } line)
        {
            all.Append(line).Append('\n');
            _lines.Writer.TryWrite(line);
        }

        return all.ToString();
    }
}

/// <summary>The part of Windows' <c>wincon.h</c> that is used here. A process group of its own receives no Ctrl+C, but Ctrl+Break.</summary>
internal static partial class SysConsole
{
    public const uint CTRL_BREAK_EVENT = 1;

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GenerateConsoleCtrlEvent(uint dwCtrlEvent, uint dwProcessGroupId);
}
