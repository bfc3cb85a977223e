namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>
/// The machine's CPU time since it started (Linux: the first lines of /proc/stat, see proc(5)). It shows the time that others used during the
/// measurement of a run.
/// </summary>
/// <param name="Total">All time, idle or not, in ticks.</param>
/// <param name="Steal">The time in which the machine wanted to run and its hypervisor ran others.</param>
/// <param name="Cores">The cores of the machine whose time it is, whether or not this process may use them.</param>
internal sealed record MachineTime(long Total, long Idle, long Steal, int Cores)
{
    private const string Source = "/proc/stat";

    // cpu user nice system idle iowait irq softirq steal; guest times are part of user and nice.
    private const int IdleField = 3;
    private const int WaitField = 4;
    private const int StealField = 7;

    public static MachineTime? Read()
    {
        if (!OperatingSystem.IsLinux() || !File.Exists(Source))
        {
            return null;
        }

        // The line of all cores, then one for each core.
        string[] lines = [.. File.ReadLines(Source).TakeWhile(line => line.StartsWith("cpu", StringComparison.Ordinal))];
        long[] fields = [.. lines[0]
            .Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).Take(StealField + 1)
            .Select(field => long.Parse(field, CultureInfo.InvariantCulture))];
        return fields.Length > StealField
            ? new MachineTime(fields.Sum(), fields[IdleField] + fields[WaitField], fields[StealField], lines.Length - 1)
            : null;
    }

    public static MachineUse? Between(MachineTime? before, MachineTime? after)
    {
        if (before is null || after is null || after.Total <= before.Total)
        {
            return null;
        }

        return after.Since(before).Use();
    }

    public MachineTime Since(MachineTime earlier) => new(Total - earlier.Total, Idle - earlier.Idle, Steal - earlier.Steal, Cores);

    public MachineTime Plus(MachineTime? other) => other is null ? this : new(Total + other.Total, Idle + other.Idle, Steal + other.Steal, Cores);

    /// <summary>Converts the time of an interval, which is not empty, to shares.</summary>
    public MachineUse Use()
    {
        double steal = (double)Steal / Total;
        return new MachineUse(1 - ((double)Idle / Total) - steal, steal, Cores);
    }
}
