using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Hosts;

/// <summary>Standard input, output and error of a process on a host are those of the local one. This program opens no connection of its own.</summary>
internal sealed class HostLauncher(Launcher launcher)
{
    public string Program => launcher switch
    {
        Launcher.Ssh => "ssh",
        Launcher.Slurm => "srun",
        Launcher.Namespaces => HostNamespace.Program,
        _ => throw new UnreachableException($"There is no launcher {launcher}."),
    };

    public static HostLauncher For(HostsPlan hosts) => new(hosts.Launcher);

    public ProcessStartInfo Shell(string host, string command) => launcher switch
    {
        // Requires an allocation (salloc or sbatch). Each process is a step that shares the resources of the allocation with the others.
        Launcher.Slurm => new(
            Program, ["-Q", "-N1", "-n1", "-K1", "--overlap", "--cpu-bind=none", "--mem=0", "-w", host, "sh", "-c", command]),

        // The shell becomes the command, so that the local process is that of the host.
        Launcher.Namespaces => HostNamespace.Start(host, "sh", ["-c", command]),

        // The user's configuration counts. A host with an unknown key is refused without a question. A connection silent for two seconds is ended.
        Launcher.Ssh => new(
            Program,
            [
                "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", "-o", "ServerAliveInterval=1", "-o", "ServerAliveCountMax=2",
                "-o", "ControlPath=none", "--", host, command,
            ]),
        _ => throw new UnreachableException($"There is no launcher {launcher}."),
    };

    /// <param name="program">The path of the program on the host; null for the path that it has here.</param>
    /// <param name="cores">The cores of the process, as taskset takes them; null if it is not bound.</param>
    public static string CommandOf(string? program, IEnumerable<string> arguments, string? cores = null, RuntimePlan? runtime = null)
    {
        IEnumerable<string> root = program is null ? [$"DOTNET_ROOT={RuntimeRoot()}"] : [];
        IEnumerable<KeyValuePair<string, string>> settings = MachineInspector.RuntimeSettings().Concat(runtime?.Environment ?? []);
        string[] words =
        [
            "env",
            .. root,
            .. settings.Select(setting => $"{setting.Key}={setting.Value}"),
            .. cores is null ? [] : (string[])["taskset", "-c", cores],
            .. program is null ? OwnProgram() : [program],
            .. arguments,
        ];
        return $"exec {string.Join(' ', words.Select(ShellCommand.QuoteForSh))}";
    }

    /// <summary>Two words if the program was started as <c>dotnet NetCoreNetworkBenchmark.dll</c>.</summary>
    public static string[] OwnProgram()
    {
        string process = Environment.ProcessPath ?? throw new InvalidOperationException("The path of this program is not known.");
        return Path.GetFileNameWithoutExtension(process).Equals("dotnet", StringComparison.OrdinalIgnoreCase)
            ? [process, Path.GetFullPath(Environment.GetCommandLineArgs()[0])]
            : [process];
    }

    // .../shared/Microsoft.NETCore.App/VERSION/
    private static string RuntimeRoot() => Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));
}

internal sealed class RemoteHost(HostsPlan hosts, string name)
{
    /// <summary>Shorter than on this machine, so that a host that fails is named within 5 s: nothing else notices a cut link.</summary>
    public static readonly TimeSpan MaxSilence = TimeSpan.FromSeconds(3);

    private static readonly TimeSpan s_ending = TimeSpan.FromSeconds(2);

    private readonly HostLauncher _launcher = HostLauncher.For(hosts);

    public string Name => name;
    public string Launcher => _launcher.Program;

    public ProcessStartInfo StartAgent(string option, IReadOnlyList<int>? cores, RuntimePlan? runtime) => _launcher.Shell(
        name,
        HostLauncher.CommandOf(hosts.Programs.GetValueOrDefault(name), [option], cores is null ? null : string.Join(',', cores), runtime));

    public RunPlan PlanThere(RunPlan plan) => hosts.Programs.TryGetValue(name, out string? program) && plan.Assemblies is { } assemblies
        ? plan with { Assemblies = [.. assemblies.Select(assembly => AdapterPackage.Beside(program, assembly))] }
        : plan;

    /// <returns>False if the host did not answer in time. A process of this program that lives ends itself when its coordinator is gone.</returns>
    public async Task<bool> TryEndAsync(int processId)
    {
        try
        {
            ProcessStartInfo kill = _launcher.Shell(name, Invariant($"kill -KILL {processId}"));
            return (await CommandRun.RunAsync(kill, input: null, s_ending, CancellationToken.None)).ExitCode == 0;
        }
        catch (Exception exception) when (exception is BenchmarkException or TimeoutException)
        {
            return false;
        }
    }
}

internal static class HostChoice
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(10);

    /// <summary>The server is on the first host of an allocation if none is chosen, and all stands for the rest of the hosts.</summary>
    public static async Task<HostsPlan> CompleteAsync(HostsPlan hosts, CancellationToken cancellationToken)
    {
        bool asksForAll = hosts.ClientHosts.Any(host => host.Name == HostsPlan.AllHosts);
        if (hosts.Launcher != Launcher.Slurm)
        {
            return asksForAll
                ? throw BenchmarkException.BadInput(
                    "--client-hosts: all requires --launcher slurm. Use names of hosts.")
                : hosts;
        }

        IReadOnlyList<string> allocated = await AllocatedHostsAsync(cancellationToken);
        string server = hosts.ServerHost ?? allocated[0];
        string[] others = [.. allocated.Except([server])];
        HostsPlan complete = hosts with
        {
            ServerHost = server,
            ClientHosts = asksForAll || hosts.ClientHosts.Count == 0 ? [.. others.Select(name => new ClientHost(name))] : hosts.ClientHosts,
        };
        return complete.All.Except(allocated).FirstOrDefault() is { } unknown
            ? throw BenchmarkException.BadInput($"{unknown} is not a host of this Slurm allocation. Use {OptionValues.Or(allocated)}.")
            : complete.ClientHosts.Count == 0
                ? throw BenchmarkException.BadInput(
                    $"This Slurm allocation has one host, {server}, and none is left for the clients. Allocate more, such as with salloc -N2.")
                : complete;
    }

    private static async Task<IReadOnlyList<string>> AllocatedHostsAsync(CancellationToken cancellationToken)
    {
        if (Environment.GetEnvironmentVariable("SLURM_JOB_NODELIST") is not { } nodes)
        {
            throw BenchmarkException.BadInput(
                "There is no Slurm allocation around this process (SLURM_JOB_NODELIST is not set). Start it with salloc or sbatch, such as salloc -N3.");
        }

        CommandRun shown = await CommandRun.RunAsync(
            new ProcessStartInfo("scontrol", ["show", "hostnames", nodes]), input: null, s_deadline, cancellationToken);
        return shown.ExitCode == 0
            ? shown.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            : throw new BenchmarkException($"scontrol does not know the hosts of the allocation: {shown.Reason}.");
    }
}
