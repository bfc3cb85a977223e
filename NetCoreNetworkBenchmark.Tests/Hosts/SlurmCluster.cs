namespace NetCoreNetworkBenchmark.Tests.Hosts;

/// <summary>A cluster of Slurm whose nodes are the hosts of a network, with the controller on the coordinator.</summary>
internal sealed class SlurmCluster : IAsyncDisposable
{
    private const int KeyBytes = 128;
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);

    private SlurmCluster(HostNetwork network) => Network = network;

    public HostNetwork Network { get; }

    /// <summary>What to put before a command of Slurm so that it runs on the coordinator, in the same process.</summary>
    public string[] OnCoordinator => [.. Network.OnCoordinator, .. WithConfiguration];

    /// <summary>What to put before a command so that it runs on the coordinator in an allocation of all nodes, as a child of salloc.</summary>
    public string[] InAllocation => [.. OnCoordinator, "salloc", $"-N{Network.Hosts.Count}", "-Q"];
    private string[] WithConfiguration => ["env", $"SLURM_CONF={FileOf("slurm.conf")}"];

    /// <summary>Makes so many nodes and the coordinator, and skips the test with the reason where that is not possible.</summary>
    public static async Task<SlurmCluster> StartAsync(int nodes)
    {
        await HostNetwork.RequireAsync("munged", "slurmctld", "slurmd", "salloc", "srun");
        var cluster = new SlurmCluster(await HostNetwork.StartAsync(nodes));
        try
        {
            await cluster.WriteFilesAsync();
            await cluster.StartServersAsync();
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    public Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] arguments) => BenchmarkProcess.RunThroughAsync(InAllocation, arguments);

    /// <summary>Starts this program in an allocation of all nodes. The process is salloc, and the program is its child.</summary>
    public BenchmarkProcess Start(params string[] arguments) => BenchmarkProcess.StartThrough(InAllocation, arguments);

    public Task<(int ExitCode, string Output, string Errors)> CommandAsync(params string[] command) => SystemCommand.RunAsync([.. OnCoordinator, .. command]);

    public ValueTask DisposeAsync() => Network.DisposeAsync();

    private async Task WriteFilesAsync()
    {
        await File.WriteAllBytesAsync(FileOf("munge.key"), RandomNumberGenerator.GetBytes(KeyBytes));

        // munge trusts no key that others can read.
        await SystemCommand.RequireAsync("chmod", "600", FileOf("munge.key"));
        Directory.CreateDirectory(FileOf("state"));
        Directory.CreateDirectory(FileOf("cgroup"));
        foreach (string host in Network.Hosts)
        {
            Directory.CreateDirectory(FileOf($"spool-{host}"));
        }

        // Only named, never used: slurmd does not start before it has found one, and 'ip netns exec' hides the real one.
        await File.WriteAllTextAsync(
            FileOf("cgroup.conf"),
            $"""
            CgroupPlugin=cgroup/v1
            CgroupMountpoint={FileOf("cgroup")}
            CgroupAutomount=no

            """);

        // More cores than the machine may have: they are counted, not used.
        await File.WriteAllTextAsync(
            FileOf("slurm.conf"),
            $"""
            ClusterName=nnb
            SlurmctldHost={HostNetwork.Coordinator}({Network.AddressOf(HostNetwork.Coordinator)})
            SlurmUser=root
            SlurmdUser=root
            AuthType=auth/munge
            CredType=cred/munge
            AuthInfo=socket={FileOf("munge.socket")}
            StateSaveLocation={FileOf("state")}
            SlurmdSpoolDir={FileOf("spool-%n")}
            SlurmctldPidFile={FileOf("slurmctld.pid")}
            SlurmdPidFile={FileOf("slurmd-%n.pid")}
            ProctrackType=proctrack/linuxproc
            TaskPlugin=task/none
            JobAcctGatherType=jobacct_gather/none
            MpiDefault=none
            SwitchType=switch/none
            SelectType=select/cons_tres
            SlurmdParameters=config_overrides
            ReturnToService=2
            MailProg=/bin/true
            {string.Join('\n', Network.Hosts.Select(host => $"NodeName={host} NodeAddr={Network.AddressOf(host)} CPUs=8"))}
            PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP

            """);
    }

    private async Task StartServersAsync()
    {
        await Network.StartServer(
            HostNetwork.Coordinator,
            "work threads",
            SystemProgram.Find("munged")!,
            "--foreground",
            "--force",
            $"--key-file={FileOf("munge.key")}",
            $"--socket={FileOf("munge.socket")}",
            $"--pid-file={FileOf("munge.pid")}",
            $"--log-file={FileOf("munge.log")}",
            $"--seed-file={FileOf("munge.seed")}").ReadyAsync();
        await Network.StartServer(
            HostNetwork.Coordinator, "Running as primary controller", [.. WithConfiguration, SystemProgram.Find("slurmctld")!, "-D", "-c"]).ReadyAsync();
        Daemon[] nodes =
        [
            .. Network.Hosts.Select(host =>
                Network.StartServer(host, "slurmd started", [.. WithConfiguration, SystemProgram.Find("slurmd")!, "-D", "-N", host])),
        ];
        await Task.WhenAll(nodes.Select(node => node.ReadyAsync()));
        using var deadline = new CancellationTokenSource(s_deadline);
        while (!await AreIdleAsync())
        {
            await Task.Delay(s_pause, deadline.Token);
        }
    }

    // The controller has heard of all nodes.
    private async Task<bool> AreIdleAsync()
    {
        (int exitCode, string output, _) = await CommandAsync("sinfo", "-h", "-N", "-o", "%T");
        string[] states = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        return exitCode == 0 && states.Length == Network.Hosts.Count && states.All(state => state == "idle");
    }

    private string FileOf(string name) => Path.Combine(Network.Folder, name);
}

/// <summary>A server program in the foreground of its own process, whose log is its standard error.</summary>
internal sealed class Daemon : IAsyncDisposable
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);
    private readonly Process _process;
    private readonly TaskCompletionSource _isReady = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task _reading;

    private Daemon(string[] command, string readyWords)
    {
        _process = Process.Start(new ProcessStartInfo(command[0], command[1..])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        _process.StandardInput.Close();
        _reading = Task.WhenAll(ReadAsync(readyWords), _process.StandardOutput.ReadToEndAsync());
    }

    /// <summary>Starts the program without a wait, so that several can start at the same time.</summary>
    /// <param name="readyWords">What its log contains when it serves.</param>
    /// <param name="command">The program must stay in this process: no fork.</param>
    public static Daemon Start(string readyWords, params string[] command) => new(command, readyWords);

    public Task ReadyAsync() => _isReady.Task.WaitAsync(s_deadline);

    /// <summary>Kills the program. Processes that it started go on.</summary>
    public async Task KillAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync().WaitAsync(s_deadline);
    }

    /// <summary>Waits until nothing writes into its log any more. The owner has killed its processes before.</summary>
    public async ValueTask DisposeAsync()
    {
        await KillAsync();
        await _reading.WaitAsync(s_deadline);
        _process.Dispose();
    }

    private async Task ReadAsync(string readyWords)
    {
        var all = new StringBuilder();
        while (await _process.StandardError.ReadLineAsync() is { } line)
        {
            if (_isReady.Task.IsCompleted)
            {
                continue;
            }

            all.Append(line).Append('\n');
            if (line.Contains(readyWords, StringComparison.Ordinal))
            {
                _isReady.SetResult();
            }
        }

        _isReady.TrySetException(new InvalidOperationException($"It ended without '{readyWords}': {all}"));
    }
}
