namespace NetCoreNetworkBenchmark.Tests.Hosts;

/// <summary>The tests over several hosts, and over paths of packets, run one after the other: all hosts share the cores of this machine.</summary>
[CollectionDefinition(nameof(HostNetwork))]
public sealed class HostNetworkGroup;

/// <summary>A network of four hosts for the tests of a class that change nothing in it, made by the first of them.</summary>
public sealed class SharedNetwork : IAsyncDisposable
{
    private Task<HostNetwork>? _network;

    /// <summary>Returns the network, and skips the test with the reason where it is not possible.</summary>
    internal Task<HostNetwork> GetAsync() => _network ??= HostNetwork.StartAsync(4);

    public async ValueTask DisposeAsync()
    {
        if (_network is { IsCompletedSuccessfully: true })
        {
            await (await _network).DisposeAsync();
        }
    }
}

/// <summary>
/// Several hosts made of this machine: network namespaces with names and addresses of their own, connected by a bridge in the namespace of the
/// coordinator, without a route to anywhere else. <c>ssh host-a</c> works on the coordinator. The hosts share this machine's files, processes and clock.
/// </summary>
internal sealed class HostNetwork : IAsyncDisposable
{
    public const string Coordinator = "coordinator";

    private const string Prefix = "nnb-";
    private const string Subnet = "10.199.0";
    private static readonly string[] s_programs = ["ip", "unshare", "mount", "hostname", "ssh", "ssh-keygen", "sshd"];
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory(Prefix);
    private readonly Dictionary<string, Daemon> _sshServers = [];
    private readonly List<Daemon> _otherServers = [];

    private readonly bool _asMachines;

    private HostNetwork(string[] hosts, bool asMachines) => (Hosts, _asMachines) = (hosts, asMachines);

    /// <summary>The names of the hosts without the coordinator: host-a, host-b ...</summary>
    public IReadOnlyList<string> Hosts { get; }
    public string Folder => _folder.FullName;
    public NetworkNamespace[] Namespaces => NetworkNamespace.AllOf(Network);

    /// <summary>What to put before a command so that it runs on the coordinator, in the same process.</summary>
    public string[] OnCoordinator => LauncherOf(Coordinator);
    private string Network => _folder.Name[Prefix.Length..];
    private string KnownHosts => Path.Combine(Folder, "home", ".ssh", "known_hosts");

    /// <summary>Makes so many hosts and the coordinator, and skips the test with the reason where that is not possible.</summary>
    /// <param name="asMachines">Whether each host has an identifier of its own, as a machine has.</param>
    public static async Task<HostNetwork> StartAsync(int hosts, bool asMachines = false)
    {
        await RequireAsync();
        foreach (NetworkNamespace abandoned in NetworkNamespace.Abandoned())
        {
            await abandoned.RemoveAsync();
        }

        var network = new HostNetwork([.. Enumerable.Range(0, hosts).Select(host => $"host-{(char)('a' + host)}")], asMachines);
        try
        {
            await network.AddNamespacesAsync();
            await network.WriteFilesAsync();
            await network.StartSshAsync();
            return network;
        }
        catch
        {
            await network.DisposeAsync();
            throw;
        }
    }

    /// <summary>Skips the test with the reason where such a network is not possible.</summary>
    /// <param name="programs">What is necessary in addition to ssh.</param>
    public static async Task RequireAsync(params string[] programs)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has network namespaces.");
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "Only root can make network namespaces with servers in them.");
        string? missing = s_programs.Concat(programs).FirstOrDefault(program => SystemProgram.Find(program) is null);
        Assert.SkipWhen(missing is not null, $"The program {missing} is not installed.");
        NetworkNamespace trial = NetworkNamespace.For("trial", Guid.NewGuid().ToString("N"));
        (int exitCode, _, string errors) = await SystemCommand.RunAsync("ip", "netns", "add", trial.Name);
        Assert.SkipWhen(exitCode != 0, $"A network namespace is not possible here: {errors.Trim()}.");
        (exitCode, _, errors) = await SystemCommand.RunAsync(
            "ip", "netns", "exec", trial.Name, "unshare", "--uts", "sh", "-c", "mount -t tmpfs tmpfs /run && ip link add type veth && ip link add type bridge");
        await trial.RemoveAsync();
        Assert.SkipWhen(exitCode != 0, $"Names, mounts, veth pairs or bridges are not possible in a network namespace here: {errors.Trim()}.");
    }

    public string AddressOf(string host) => host == Coordinator ? $"{Subnet}.1" : $"{Subnet}.{11 + IndexOf(host)}";

    public NetworkNamespace NamespaceOf(string host) => NetworkNamespace.For(Network, host);

    public Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] arguments) => BenchmarkProcess.RunThroughAsync(OnCoordinator, arguments);

    /// <summary>Starts this program on the coordinator. It is the process itself, and not its parent.</summary>
    public BenchmarkProcess Start(params string[] arguments) => BenchmarkProcess.StartThrough(OnCoordinator, arguments);

    public Task<(int ExitCode, string Output, string Errors)> CommandAsync(string host, params string[] command) =>
        SystemCommand.RunAsync([.. LauncherOf(host), .. command]);

    /// <summary>Cuts a host off, as a pulled cable does: no side is told, and packets are lost.</summary>
    public Task CutLinkAsync(string host) => NamespaceOf(Coordinator).SetAsync("link", "set", host, "down");

    /// <summary>The coordinator's ssh does not know the key of a host any more.</summary>
    public async Task ForgetKeyAsync(string host) => await File.WriteAllLinesAsync(
        KnownHosts, (await File.ReadAllLinesAsync(KnownHosts)).Where(line => !line.StartsWith($"{host},", StringComparison.Ordinal)));

    /// <summary>A host refuses connections of ssh from now on. Sessions go on.</summary>
    public Task StopSshAsync(string host) => _sshServers[host].KillAsync();

    public async Task<HostProcess[]> ProcessesOfAsync(string host) => [.. (await NamespaceOf(host).ProcessesAsync()).Select(Describe).OfType<HostProcess>()];

    /// <summary>The processes of a host that are agents of this program. A shell that has the option only in its command is none.</summary>
    public async Task<int[]> AgentsOfAsync(string host) =>
        [.. (await ProcessesOfAsync(host)).Where(process => process.Arguments.Contains("--agent")).Select(process => process.Id)];

    /// <summary>Starts a server program on a host or on the coordinator. It ends with the network.</summary>
    /// <param name="command">The program must stay in this process: no fork.</param>
    public Daemon StartServer(string host, string readyWords, params string[] command)
    {
        var server = Daemon.Start(readyWords, [.. LauncherOf(host), .. command]);
        _otherServers.Add(server);
        return server;
    }

    public async ValueTask DisposeAsync()
    {
        // First all processes, as those of one host may start others on another one.
        NetworkNamespace[] namespaces = Namespaces;
        foreach (NetworkNamespace space in namespaces)
        {
            await space.KillAllAsync();
        }

        foreach (Daemon server in _sshServers.Values.Concat(_otherServers))
        {
            await server.DisposeAsync();
        }

        foreach (NetworkNamespace space in namespaces)
        {
            await space.RemoveAsync();
        }

        _folder.Delete(recursive: true);
    }

    // The namespace of mounts is the one that 'ip netns exec' makes for its command.
    private string[] LauncherOf(string host) =>
    [
        "ip", "netns", "exec", NamespaceOf(host).Name, "unshare", "--uts",
        "sh", Path.Combine(Folder, host == Coordinator ? "enter-coordinator" : "enter-host"), host,
    ];

    private int IndexOf(string host) => Enumerable.Range(0, Hosts.Count).First(index => Hosts[index] == host);

    private async Task AddNamespacesAsync()
    {
        const string Bridge = "bridge";
        NetworkNamespace coordinator = NamespaceOf(Coordinator);
        await coordinator.AddAsync();
        await coordinator.SetAsync("link", "add", Bridge, "type", "bridge");
        await coordinator.SetAsync("address", "add", $"{AddressOf(Coordinator)}/24", "dev", Bridge);
        await coordinator.SetAsync("link", "set", Bridge, "up");
        foreach (string host in Hosts)
        {
            NetworkNamespace space = NamespaceOf(host);
            await space.AddAsync();
            await coordinator.SetAsync("link", "add", host, "type", "veth", "peer", "name", "eth0", "netns", space.Name);
            await coordinator.SetAsync("link", "set", host, "master", Bridge, "up");
            await space.SetAsync("address", "add", $"{AddressOf(host)}/24", "dev", "eth0");
            await space.SetAsync("link", "set", "eth0", "up");
        }
    }

    private async Task WriteFilesAsync()
    {
        string home = Directory.CreateDirectory(Path.Combine(Folder, "home", ".ssh")).FullName;
        string identity = Path.Combine(home, "identity");
        string hostKey = Path.Combine(Folder, "host-key");
        await SystemCommand.RequireAsync("ssh-keygen", "-q", "-t", "ed25519", "-N", string.Empty, "-f", identity);
        await SystemCommand.RequireAsync("ssh-keygen", "-q", "-t", "ed25519", "-N", string.Empty, "-f", hostKey);
        string key = string.Join(' ', (await File.ReadAllTextAsync($"{hostKey}.pub")).Split(' ').Take(2));
        await File.WriteAllLinesAsync(KnownHosts, Hosts.Select(host => $"{host},{AddressOf(host)} {key}"));
        await File.WriteAllTextAsync(
            Path.Combine(home, "config"),
            string.Concat(Hosts.Select(host => $"Host {host}\n  HostName {AddressOf(host)}\n"))
            + $"""
            Host *
              IdentityFile {identity}
              IdentitiesOnly yes
              UserKnownHostsFile {KnownHosts}
              GlobalKnownHostsFile /dev/null

            """);
        await File.WriteAllTextAsync(
            FileOf("sshd-config"),
            $"""
            Port 22
            HostKey {hostKey}
            PidFile none
            AuthorizedKeysFile {identity}.pub
            PermitRootLogin prohibit-password
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            StrictModes no
            UsePAM no
            UseDNS no
            MaxStartups 100
            MaxSessions 100
            SetEnv PATH={Environment.GetEnvironmentVariable("PATH")}

            """);
        await File.WriteAllTextAsync(
            FileOf("hosts"), "127.0.0.1 localhost\n" + string.Concat(Hosts.Prepend(Coordinator).Select(host => $"{AddressOf(host)} {host}\n")));

        // ssh reads the folder of its user there, and not in the environment. A mount over ~/.ssh would need that folder on this machine.
        await File.WriteAllLinesAsync(
            FileOf("passwd"),
            (await File.ReadAllLinesAsync("/etc/passwd")).Select(line =>
                line.Split(':') is ["root", var password, var user, var group, var name, _, var shell]
                    ? string.Join(':', "root", password, user, group, name, Path.Combine(Folder, "home"), shell)
                    : line));

        // On the hosts so that no shell reads the start-up files of this machine's user, which may be slow, or wait for each other.
        string enter = $"set -e\nmount --bind '{FileOf("hosts")}' /etc/hosts\nmount --bind '{FileOf("passwd")}' /etc/passwd\n";
        const string Execute = "hostname \"$1\"\nshift\nexec \"$@\"\n";
        await File.WriteAllTextAsync(FileOf("enter-coordinator"), $"{enter}{Execute}");

        // sshd requires the folder, which only the package's service makes.
        string machine = string.Empty;
        if (_asMachines)
        {
            machine = $"mount --bind '{Folder}/boot-id-'\"$1\" /proc/sys/kernel/random/boot_id\n";
            foreach (string host in Hosts)
            {
                await File.WriteAllTextAsync(FileOf($"boot-id-{host}"), $"{Guid.NewGuid()}\n");
            }
        }

        await File.WriteAllTextAsync(FileOf("enter-host"), $"{enter}{machine}mount -t tmpfs -o mode=755 tmpfs /run\nmkdir -m 755 /run/sshd\n{Execute}");
    }

    private async Task StartSshAsync()
    {
        foreach (string host in Hosts)
        {
            string[] server = [.. LauncherOf(host), SystemProgram.Find("sshd")!, "-D", "-e", "-f", FileOf("sshd-config")];
            _sshServers.Add(host, Daemon.Start("Server listening on 0.0.0.0", server));
        }

        foreach (Daemon server in _sshServers.Values)
        {
            await server.ReadyAsync();
        }
    }

    private string FileOf(string name) => Path.Combine(Folder, name);

    // The list of processes is older than this look, so one may have ended.
    private static HostProcess? Describe(int process)
    {
        string folder = string.Create(CultureInfo.InvariantCulture, $"/proc/{process}");
        try
        {
            return new HostProcess(process, File.ReadAllText($"{folder}/cmdline").Split('\0', StringSplitOptions.RemoveEmptyEntries));
        }
        catch (IOException) when (!Directory.Exists(folder))
        {
            return null;
        }
    }
}
