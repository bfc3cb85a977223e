using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Libraries.Nginx;

/// <summary>A running nginx: its first process and the workers, and the folder with its configuration.</summary>
internal sealed class NginxServer : IBenchmarkServer
{
    // Between the choice of a free port and its use, another program may take it.
    private const int MostAttempts = 5;

    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(10);

    private readonly Process _process;
    private readonly DirectoryInfo _folder;
    private readonly TimeSpan _stopDeadline;
    private bool _isDisposed;

    private NginxServer(Process process, DirectoryInfo folder, IPEndPoint endPoint, TimeSpan stopDeadline)
    {
        (_process, _folder, _stopDeadline) = (process, folder, stopDeadline);
        EndPoint = endPoint;
        Processes = [process.Id, .. Children(process.Id)];
    }

    public IPEndPoint EndPoint { get; }

    public IReadOnlyList<int> Processes { get; }

    /// <summary>Starts the program, and waits until it listens.</summary>
    /// <exception cref="BenchmarkException">The program did not start, or the address cannot be bound.</exception>
    public static NginxServer Start(string program, ServerSetup setup)
    {
        for (int attempt = 1; ; attempt++)
        {
            DirectoryInfo folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-nginx-");
            IPEndPoint endPoint = FreeEndPoint(setup);
            Process? process = null;
            try
            {
                NginxConfiguration.Write(folder.FullName, endPoint, setup);
                process = Process.Start(new ProcessStartInfo(program, ["-p", folder.FullName, "-c", "nginx.conf", "-e", "error.log"]))!;
                AwaitListening(process, folder, endPoint, setup.Plan);
                return new NginxServer(process, folder, endPoint, setup.Plan.StopDeadline);
            }
            catch (Exception exception)
            {
                process?.Kill(entireProcessTree: true);
                process?.Dispose();
                folder.Delete(recursive: true);
                if (exception is not BenchmarkException || setup.EndPoint.Port != 0 || attempt == MostAttempts)
                {
                    throw;
                }
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
        using var deadline = new CancellationTokenSource(_stopDeadline);
        try
        {
            // SIGTERM: the first process ends the workers, and then itself.
            _ = SysSignal.kill(_process.Id, SysSignal.SIGTERM);
            await _process.WaitForExitAsync(deadline.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _process.Kill(entireProcessTree: true);
            throw new BenchmarkException(
                string.Create(CultureInfo.InvariantCulture, $"nginx did not end within {_stopDeadline.TotalSeconds:0.#} s and was killed."));
        }
        finally
        {
            _process.Dispose();
            _folder.Delete(recursive: true);
        }
    }

    // The port that the system chooses is free at this moment.
    private static IPEndPoint FreeEndPoint(ServerSetup setup)
    {
        using Socket socket = ServerSocket.Bind(setup with { SharesPort = false });
        return (IPEndPoint)socket.LocalEndPoint!;
    }

    private static void AwaitListening(Process process, DirectoryInfo folder, IPEndPoint endPoint, RunPlan plan)
    {
        var waited = Stopwatch.StartNew();
        while (Children(process.Id).Length < plan.ServerThreads || !Answers(endPoint))
        {
            if (process.WaitForExit(s_look))
            {
                string log = File.ReadAllText(Path.Combine(folder.FullName, "error.log")).Trim();
                throw new BenchmarkException($"nginx ended at once with exit code {process.ExitCode}: {log.Split('\n')[0]}");
            }

            if (waited.Elapsed > plan.ConnectDeadline)
            {
                throw new BenchmarkException(
                    string.Create(CultureInfo.InvariantCulture, $"nginx did not listen within {plan.ConnectDeadline.TotalSeconds:0.#} s."));
            }
        }
    }

    private static bool Answers(IPEndPoint endPoint)
    {
        using var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Connect(endPoint);
            return true;
        }
        catch (SocketException)
        {
            // It does not listen yet.
            return false;
        }
    }

    private static int[] Children(int process)
    {
        string list = $"/proc/{process}/task/{process}/children";
        return File.Exists(list)
            ? [.. File.ReadAllText(list).Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(id => int.Parse(id, CultureInfo.InvariantCulture))]
            : [];
    }
}
