using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Machine.Native;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Paths;

/// <summary>A user namespace, in which a user without rights may make network namespaces (user_namespaces(7)). It ends with its last process.</summary>
internal static class UserNamespace
{
    private static readonly string[] s_unshare = ["unshare", "--user", "--map-root-user"];

    // AppArmor can allow the user namespace and refuse the rest.
    private static readonly string[] s_trial = [.. s_unshare[1..], "unshare", "--net", "ip", "link", "set", "lo", "up"];
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Replaces this process by the same program in such a namespace, which starts anew (execv(3)). Returns only if that is not required, or not allowed.
    /// </summary>
    /// <param name="arguments">The arguments of this program.</param>
    public static async Task RestartProcessInsideAsync(IReadOnlyList<string> arguments, CancellationToken cancellationToken)
    {
        if (!OperatingSystem.IsLinux() || Environment.IsPrivilegedProcess || SystemProgram.Find(s_unshare[0]) is not { } unshare
            || SystemProgram.Find("ip") is null)
        {
            return;
        }

        var trial = new ProcessStartInfo(unshare, s_trial);
        if ((await CommandRun.RunAsync(trial, input: null, s_deadline, cancellationToken)).ExitCode == 0)
        {
            // The process keeps its identity, so that signals and the shell that waits for it reach the program.
            _ = SysUnistd.execv(unshare, [.. s_unshare, .. HostLauncher.OwnProgram(), .. arguments, null]);
        }
    }
}
