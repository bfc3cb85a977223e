namespace NetCoreNetworkBenchmark.Running.Machine.Limits;

/// <summary>cgroups(7), version 1 or 2. A group cannot have more than those around it, so all that are visible count.</summary>
/// <param name="root">The folder with <c>proc</c>, and with the mount points that it names.</param>
internal sealed class ControlGroup(string root = "/")
{
    private const string Version1 = "cgroup";
    private const string Version2 = "cgroup2";

    private readonly string[] _withQuota = [.. FoldersOf(root, "cpu").Where(folder => QuotaOf(folder) is not null)];

    public double? CpuQuota => _withQuota.Length == 0 ? null : _withQuota.Min(QuotaOf);

    public long? MemoryLimit => FoldersOf(root, "memory")
        .Select(folder => NumberIn(folder, "memory.max") ?? NumberIn(folder, "memory.limit_in_bytes"))
        .Min();

    /// <returns>The periods so far, and those in which the quota was used up, so that the group stood still until the next; null without a quota.</returns>
    public (long All, long Throttled)? ReadPeriods() => _withQuota.Length == 0 ? null : (SumOfStat("nr_periods"), SumOfStat("nr_throttled"));

    public IReadOnlyList<ThreadLimit> ThreadLimits() =>
    [
        .. from folder in FoldersOf(root, "pids")
           let max = NumberIn(folder, "pids.max")
           where max is not null
           select new ThreadLimit(
               $"its control group (pids.max of {folder})",
               max.Value,
               NumberIn(folder, "pids.current") ?? 0,
               CountOf(folder, "pids.events", "max"),
               "raise it, such as with --pids-limit of Docker"),
    ];

    // The group's own folder and those around it.
    private static IEnumerable<string> FoldersOf(string root, string controller)
    {
        if (Find(root, controller) is not var (mount, path))
        {
            yield break;
        }

        string? folder = Path.GetFullPath(mount + path);
        for (; folder?.StartsWith(mount, StringComparison.Ordinal) == true; folder = Path.GetDirectoryName(folder))
        {
            yield return folder;
        }
    }

    // A controller belongs to one version only.
    private static (string Mount, string Path)? Find(string root, string controller)
    {
        string[][] groups = [.. LinesOf(root, "proc/self/cgroup").Select(line => line.Split(':', 3)).Where(fields => fields.Length == 3)];
        string? own = Array.Find(groups, fields => fields[1].Split(',').Contains(controller))?[2];
        string? path = own ?? Array.Find(groups, fields => fields[1].Length == 0)?[2];
        return path is null
            ? null
            : LinesOf(root, "proc/self/mountinfo")
                .Select(line => MountOf(root, line, own is null ? null : controller, path))
                .FirstOrDefault(mount => mount is not null);
    }

    // proc_pid_mountinfo(5): ID parent device ROOT MOUNTPOINT options tags... - TYPE source OPTIONS.
    private static (string Mount, string Path)? MountOf(string root, string line, string? controller, string path)
    {
        string[] halves = line.Split(" - ", 2);
        string[] place = halves[0].Split(' ');
        string[] kind = halves.Length == 2 ? halves[1].Split(' ') : [];
        bool isIt = place.Length > 4 && kind.Length > 2
            && (controller is null ? kind[0] == Version2 : kind[0] == Version1 && kind[2].Split(',').Contains(controller));
        if (!isIt)
        {
            return null;
        }

        // In a container the mount's root is the container's own group. What is outside of it cannot be seen.
        string inside = place[3] == "/" ? path : path.StartsWith(place[3], StringComparison.Ordinal) ? path[place[3].Length..] : string.Empty;
        return (Path.GetFullPath(Path.Join(root, place[4])), inside.Contains("..", StringComparison.Ordinal) ? string.Empty : inside.TrimEnd('/'));
    }

    private static double? QuotaOf(string folder) => SystemFiles.ReadLine(Path.Combine(folder, "cpu.max"))?.Split(' ') is [var max, var period]
        ? Share(SystemFiles.NumberOf(max), SystemFiles.NumberOf(period))
        : Share(NumberIn(folder, "cpu.cfs_quota_us"), NumberIn(folder, "cpu.cfs_period_us"));

    private static double? Share(long? quota, long? period) => quota > 0 && period > 0 ? (double)quota / period : null;

    private long SumOfStat(string name) => _withQuota.Aggregate(0L, (sum, folder) => sum + CountOf(folder, "cpu.stat", name));

    private static long CountOf(string folder, string file, string name) =>
        SystemFiles.NumberOf(SystemFiles.ValueOf(Path.Combine(folder, file), name, ' ')) ?? 0;

    private static long? NumberIn(string folder, string file) => SystemFiles.NumberOf(SystemFiles.ReadLine(Path.Combine(folder, file)));

    private static string[] LinesOf(string root, string file) => SystemFiles.ReadLines(Path.Combine(root, file));
}
