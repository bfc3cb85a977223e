namespace NetCoreNetworkBenchmark.Libraries.Nginx;

// The folder with the key exists only until nginx listens, because it reads it once: a coordinator that is killed leaves no key behind.
internal sealed class NginxServer : IBenchmarkServer
{
    // Between the choice of a free port and its use, another program may take it.
    private const int MaxAttempts = 5;

    // EADDRINUSE, as nginx prints it in every language.
    private const string InUse = "(98: ";

    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(10);

    private readonly ChildProcess _process;
    private readonly TimeSpan _stopDeadline;
    private bool _isDisposed;

    private NginxServer(ChildProcess process, IPEndPoint endPoint, TimeSpan stopDeadline)
    {
        (_process, _stopDeadline) = (process, stopDeadline);
        EndPoint = endPoint;
        Processes = [process.Id, .. Children(process.Id)];
    }

    public IPEndPoint EndPoint { get; }

    public IReadOnlyList<int> Processes { get; }

    public static NginxServer Start(string program, ServerSetup setup)
    {
        for (int attempt = 1; ; attempt++)
        {
            IPEndPoint endPoint = ServerSocket.FreeEndPoint(setup);
            try
            {
                return StartAt(endPoint, program, setup);
            }
            catch (BenchmarkException exception)
                when (setup.EndPoint.Port == 0 && attempt < MaxAttempts && exception.Message.Contains(InUse, StringComparison.Ordinal))
            {
                continue;
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_isDisposed)
        {
            return;
        }

        _isDisposed = true;
        using ChildProcess process = _process;

        // The first process ends the workers, and then itself.
        _ = SysSignal.kill(process.Id, SysSignal.SIGTERM);
        if (!await process.ExitsAsync(_stopDeadline).ConfigureAwait(false))
        {
            process.Kill(entireProcessTree: true);
            throw new BenchmarkException(
                string.Create(CultureInfo.InvariantCulture, $"nginx did not end within {_stopDeadline.TotalSeconds:0.#} s and was killed."));
        }
    }

    private static NginxServer StartAt(IPEndPoint endPoint, string program, ServerSetup setup)
    {
        DirectoryInfo folder = CreateFolder();
        ChildProcess? process = null;
        try
        {
            NginxConfiguration.Write(folder.FullName, endPoint, setup);
            process = ChildProcess.Start(
                new ProcessStartInfo(program, ["-p", folder.FullName, "-c", "nginx.conf", "-e", "error.log"]) { RedirectStandardError = true });
            AwaitListening(process, process.StandardError.ReadToEndAsync(), endPoint, setup.Plan);
            return new NginxServer(process, endPoint, setup.Plan.StopDeadline);
        }
        catch
        {
            // A process that still ends could write a file into the folder while it is deleted.
            process?.Kill(entireProcessTree: true);
            process?.WaitForExit(setup.Plan.StopDeadline);
            process?.Dispose();
            throw;
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static DirectoryInfo CreateFolder()
    {
        try
        {
            return Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-nginx-");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new BenchmarkException(
                $"The configuration of nginx cannot be written to '{Path.GetTempPath()}', the folder for temporary files. " +
                    "Set TMPDIR to a folder that exists and that you may write to.",
                exception);
        }
    }

    private static void AwaitListening(Process process, Task<string> errors, IPEndPoint endPoint, RunPlan plan)
    {
        var waited = Stopwatch.StartNew();
        while (Children(process.Id).Length < plan.ServerThreads || !Answers(endPoint))
        {
            if (process.WaitForExit(s_look))
            {
                string reason = errors.Wait(plan.StopDeadline) ? errors.Result.Trim().Split('\n')[0] : string.Empty;
                throw new BenchmarkException(
                    $"nginx ended at once with exit code {process.ExitCode}: {(reason.Length > 0 ? reason : "it printed no error")}");
            }

            if (waited.Elapsed > plan.ConnectDeadline)
            {
                throw Deadline.Missed("nginx did not listen", plan.ConnectDeadline);
            }
        }
    }

    private static bool Answers(IPEndPoint endPoint)
    {
        using var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Connect(endPoint);
            SelfConnection.ThrowIf(socket, endPoint);
            return true;
        }
        catch (SocketException)
        {
            // It does not listen yet.
            return false;
        }
    }

    /// <summary>Finds the children by their parent, since the list of a task's children is not in every kernel (CONFIG_PROC_CHILDREN).</summary>
    internal static int[] Children(int process, string processes = "/proc") =>
    [
        .. Directory.EnumerateDirectories(processes)
            .Select(folder => int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out int id) && ParentOf(folder) == process ? id : 0)
            .Where(id => id > 0)
            .Order(),
    ];

    // proc_pid_stat(5): ID (NAME) STATE PARENT. The name may contain brackets and spaces. Null if the process has ended.
    private static int? ParentOf(string folder)
    {
        try
        {
            string stat = File.ReadAllText(Path.Combine(folder, "stat"));
            return stat[(stat.LastIndexOf(')') + 1)..].Split(' ') is [_, _, var parent, ..] && int.TryParse(parent, CultureInfo.InvariantCulture, out int id)
                ? id
                : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
