using System.ComponentModel;
using Microsoft.Win32.SafeHandles;
using NetCoreNetworkBenchmark.Running.Machine.Native;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Hosts;

/// <summary>Has no name in /run/netns, which would outlive a killed process: it ends with this process and the last one in it.</summary>
internal sealed class HostNamespace : IDisposable
{
    /// <summary>The program that starts another one in it.</summary>
    public const string Program = "nsenter";

    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(10);
    private readonly SafeFileHandle _handle;

    private HostNamespace(string side, SafeFileHandle handle) => (_handle, Host) = (handle, Invariant($"{side}#{handle.DangerousGetHandle()}"));

    /// <summary>The host of a plan whose launcher is <see cref="Launcher.Namespaces"/>.</summary>
    public string Host { get; }

    public static Task<HostNamespace> CreateAsync(string side) => OwnThread.RunIsolatedAsync(() => Create(side));

    public static ProcessStartInfo Start(string host, string program, IEnumerable<string> arguments) =>
        new(SystemProgram.Find(Program) ?? Program, [$"--net={FileOf(host)}", SystemProgram.Find(program) ?? program, .. arguments]);

    /// <summary>The calling thread stays in the namespace, so it must not be one of the pool. What it opens there stays there with any thread.</summary>
    public void Enter() => SystemCall.ThrowIfFailed(SysSched.setns(_handle, SysSched.CLONE_NEWNET), "setns");

    public async Task RunAsync(string program, IEnumerable<string> arguments, CancellationToken cancellationToken)
    {
        string command = ShellCommand.Format([program, .. arguments]);
        try
        {
            ProcessStartInfo start = Start(Host, program, arguments);
            CommandRun run = await CommandRun.RunAsync(start, input: null, s_deadline, cancellationToken);
            if (run.ExitCode != 0)
            {
                throw new BenchmarkException($"'{command}' failed: {run.Reason}.");
            }
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException($"'{command}' failed: {exception.Message}.", exception);
        }
    }

    public void Dispose() => _handle.Dispose();

    private static string FileOf(string host) => Invariant($"/proc/{Environment.ProcessId}/fd/{host.Split('#')[^1]}");

    private static HostNamespace Create(string side)
    {
        try
        {
            SystemCall.ThrowIfFailed(SysSched.unshare(SysSched.CLONE_NEWNET), "unshare");
            return new HostNamespace(side, File.OpenHandle("/proc/thread-self/ns/net"));
        }
        catch (Exception exception) when (exception is Win32Exception or IOException or UnauthorizedAccessException)
        {
            throw new BenchmarkException($"A network namespace could not be created: {exception.Message.TrimEnd('.')}.", exception);
        }
    }
}
