using Microsoft.Win32.SafeHandles;
using NetCoreNetworkBenchmark.Running.Machine.Native;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Hosts;

/// <summary>The name contains the process that made it: only a later run removes what a killed one left. Containers may share /run/netns.</summary>
internal sealed record HostNamespace(string Name)
{
    private const string Prefix = "netbench-";
    private const string Folder = "/run/netns";
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(10);

    public string File => Path.Combine(Folder, Name);

    public static HostNamespace For(string host) => new($"{OwnPrefix()}{host}");

    public static IReadOnlyList<HostNamespace> Abandoned() =>
        [.. All().Where(host => IsAbandoned(host.Name))];

    internal static bool IsAbandoned(string name) =>
        name.Split('-') is [_, var processes, var process, var start, _, ..] && processes == ProcessNamespace() && StartOf(process) != start;

    public async Task AddAsync(CancellationToken cancellationToken)
    {
        await RunAsync("ip", ["netns", "add", Name], cancellationToken).ConfigureAwait(false);
        await SetAsync(["link", "set", "lo", "up"], cancellationToken).ConfigureAwait(false);
    }

    public Task SetAsync(IEnumerable<string> arguments, CancellationToken cancellationToken) =>
        RunAsync("ip", ["-n", Name, .. arguments], cancellationToken);

    public Task<string> ExecuteAsync(string program, IEnumerable<string> arguments, CancellationToken cancellationToken) =>
        RunAsync("ip", ["netns", "exec", Name, SystemProgram.Find(program) ?? program, .. arguments], cancellationToken);

    /// <summary>The calling thread stays in the namespace, so it must not be one of the pool. What it opens there stays there with any thread.</summary>
    public void Enter()
    {
        using SafeFileHandle space = System.IO.File.OpenHandle(File);
        SystemCall.ThrowIfFailed(SysSched.setns(space, SysSched.CLONE_NEWNET), "setns");
    }

    public async Task RemoveAsync()
    {
        try
        {
            await RunAsync("ip", ["netns", "delete", Name], CancellationToken.None).ConfigureAwait(false);
        }
        catch (BenchmarkException) when (!System.IO.File.Exists(File))
        {
            // Another run can remove the same abandoned one.
            return;
        }
    }

    private static IEnumerable<HostNamespace> All() => Directory.Exists(Folder)
        ? Directory.GetFiles(Folder, $"{Prefix}*").Select(file => new HostNamespace(Path.GetFileName(file)))
        : [];

    private static string OwnPrefix()
    {
        string process = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        return $"{Prefix}{ProcessNamespace()}-{process}-{StartOf(process)}-";
    }

    // The target of the link is such as pid:[4026531836] (namespaces(7)).
    private static string ProcessNamespace() => new([.. (new FileInfo("/proc/self/ns/pid").LinkTarget ?? string.Empty).Where(char.IsAsciiDigit)]);

    // Null if there is no such process.
    private static string? StartOf(string process) =>
        int.TryParse(process, CultureInfo.InvariantCulture, out int number) ? ProcStat.Read(number).StartTicks?.ToString(CultureInfo.InvariantCulture) : null;

    private static async Task<string> RunAsync(string program, IEnumerable<string> arguments, CancellationToken cancellationToken)
    {
        string command = ShellCommand.Format([program, .. arguments]);
        try
        {
            var start = new ProcessStartInfo(SystemProgram.Find(program) ?? program, arguments);
            CommandRun run = await CommandRun.RunAsync(start, input: null, s_deadline, cancellationToken).ConfigureAwait(false);
            return run.ExitCode == 0 ? run.Output : throw new BenchmarkException($"'{command}' failed: {run.Reason}.");
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException($"'{command}' failed: {exception.Message}.", exception);
        }
    }
}
