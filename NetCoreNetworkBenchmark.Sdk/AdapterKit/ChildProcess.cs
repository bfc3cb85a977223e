namespace NetCoreNetworkBenchmark.AdapterKit;

/// <summary>
/// A program that this process starts, and the only way to start one. On Linux it has a session of its own, and on Windows a console of its
/// own, so that Ctrl+C in a terminal reaches this process alone, which then ends the program in order. If this process is killed, Linux sends the program
/// SIGTERM.
/// </summary>
public sealed class ChildProcess : Process
{
    // A start of a program takes milliseconds, and seconds on a machine whose cores are all busy.
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(15);

    private readonly TaskCompletionSource _disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>
    /// Starts a program on a thread that <paramref name="prepare"/> is called on, whose cores the program inherits. Disposing the process, which is due after
    /// its end, frees that thread.
    /// </summary>
    public static ChildProcess Start(ProcessStartInfo start, Action? prepare = null)
    {
        string program = start.FileName;
        Detach(start);
        var process = new ChildProcess { StartInfo = start };
        var started = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var thread = new Thread(() => process.StartAndStay(started, prepare)) { Name = "start of a process", IsBackground = true };
        thread.Start();
        Task.WaitAny([started.Task], s_deadline);
        if (started.TrySetCanceled())
        {
            // If the program starts after all, its thread ends it.
            throw new BenchmarkException(FormattableString.Invariant($"The start of '{program}' took longer than {s_deadline.TotalSeconds:0.#} s."));
        }

        started.Task.GetAwaiter().GetResult();
        return process;
    }

    /// <summary>Waits for the end of the process; false if it lives at the deadline.</summary>
    public async Task<bool> ExitsAsync(TimeSpan deadline)
    {
        try
        {
            await WaitForExitAsync().WaitAsync(deadline).ConfigureAwait(false);
            return true;
        }
        catch (TimeoutException)
        {
            return HasExited;
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _disposed.TrySetResult();
        }

        base.Dispose(disposing);
    }

    // For the kernel, the parent is the thread that has started the program (prctl(2), PR_SET_PDEATHSIG), so this one stays as long as the program does.
    private void StartAndStay(TaskCompletionSource started, Action? prepare)
    {
        try
        {
            prepare?.Invoke();
            Start();
            if (started.TrySetResult())
            {
                _disposed.Task.Wait();
                return;
            }

            Kill(entireProcessTree: true);
        }
        catch (Exception exception)
        {
            started.TrySetException(exception);
        }

        Dispose();
    }

    // Both programs of util-linux become the next one by exec, so the id and the exit code are those of the program. .NET itself offers neither of their
    // services, and none can be added between fork and exec. Without them the program is started as it is.
    private static void Detach(ProcessStartInfo start)
    {
        if (OperatingSystem.IsWindows())
        {
            start.CreateNoWindow = true;
        }
        else if (OperatingSystem.IsLinux()
            && SystemProgram.Find(start.FileName) is { } program
            && SystemProgram.Find("setsid") is { } setsid
            && SystemProgram.Find("setpriv") is { } setpriv)
        {
            string[] words = [setpriv, "--pdeathsig", "TERM", program, .. start.ArgumentList];
            start.FileName = setsid;
            start.ArgumentList.Clear();
            foreach (string word in words)
            {
                start.ArgumentList.Add(word);
            }
        }
    }
}

/// <summary>Programs of the system.</summary>
public static class SystemProgram
{
    // A user who is not root often has no folder of the administrator on the PATH.
    private static readonly string[] s_folders = ["/usr/sbin", "/sbin"];

    private const UnixFileMode Execute = UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute;

    /// <summary>Returns the path of a program; null if it is not installed. Further folders come after those of the PATH and of the administrator.</summary>
    public static string? Find(string name, params IEnumerable<string> folders) =>
        (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(Path.PathSeparator)
            .Where(folder => folder.Length > 0)
            .Concat(s_folders)
            .Concat(folders)
            .Select(folder => Path.Combine(folder, name))
            .FirstOrDefault(CanExecute);

    private static bool CanExecute(string file) => File.Exists(file) && (OperatingSystem.IsWindows() || (File.GetUnixFileMode(file) & Execute) != 0);
}
