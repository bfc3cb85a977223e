using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Hosts;

/// <summary>Another host on which agents of a run are started.</summary>
internal sealed class RemoteHost(HostsPlan hosts, string name)
{
    /// <summary>
    /// The longest silence of an agent on another host, which sends a heartbeat every second. Shorter than on this machine, where a library can keep all
    /// cores busy and nothing but the process itself can fail.
    /// </summary>
    public static readonly TimeSpan MostSilence = TimeSpan.FromSeconds(3);

    private static readonly TimeSpan s_ending = TimeSpan.FromSeconds(2);

    private readonly HostLauncher _launcher = HostLauncher.Of(hosts);

    public string Name => name;

    public string Launcher => _launcher.Program;

    public ProcessStartInfo StartAgent(string option, IReadOnlyList<int>? cores, RuntimePlan? runtime) => _launcher.Shell(
        name,
        HostLauncher.CommandOf(hosts.Programs.GetValueOrDefault(name), [option], cores is null ? null : string.Join(',', cores), runtime));

    /// <summary>Ends a process of the host that does not end by itself, such as one that is stopped.</summary>
    /// <returns>False if the host did not answer in time. A process of this program that lives ends itself when its coordinator is gone.</returns>
    public async Task<bool> TryEndAsync(int processId)
    {
        try
        {
            ProcessStartInfo kill = _launcher.Shell(name, FormattableString.Invariant($"kill -KILL {processId}"));
            return (await CommandRun.RunAsync(kill, input: null, s_ending, CancellationToken.None).ConfigureAwait(false)).ExitCode == 0;
        }
        catch (Exception exception) when (exception is BenchmarkException or TimeoutException)
        {
            return false;
        }
    }
}
