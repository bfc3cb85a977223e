using NetCoreNetworkBenchmark.Running.Machine.Native;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Machine.Meters;

/// <summary>Load averages and the kernel's average of the pressure would include programs that have ended. Shares are from 0 to 1.</summary>
/// <param name="Waiting">The share of the time in which some program waited for a core; null if the kernel does not count it.</param>
/// <param name="Programs">The busiest first, each with its share of the time of all cores.</param>
internal sealed record BackgroundLoad(double Share, double? Waiting, IReadOnlyList<BusyProgram> Programs)
{
    public const double MaxShare = 0.20;

    /// <summary>Finds a busy machine with many cores, of which the few that this process may use are taken.</summary>
    public const double MaxWaiting = 0.20;

    /// <summary>25 of the ticks in which Linux counts the time of a core.</summary>
    public static readonly TimeSpan SampleLength = TimeSpan.FromMilliseconds(250);

    public static async Task<BackgroundLoad?> SampleAsync(CancellationToken cancellationToken)
    {
        if (MachineSnapshot.Read() is not { } before)
        {
            return null;
        }

        await Task.Delay(SampleLength, cancellationToken);
        return MachineSnapshot.Read() is { } after ? Between(before, after, Environment.ProcessId) : null;
    }

    public static BackgroundLoad? Between(MachineSnapshot before, MachineSnapshot after, int own)
    {
        if (MachineTime.Between(before.Machine, after.Machine) is not { } use)
        {
            return null;
        }

        double total = after.Machine.Total - before.Machine.Total;
        BusyProgram[] programs =
        [
            .. from program in after.Programs
               let share = (program.Value.Ticks - TicksBefore(program.Key, program.Value, before)) / total
               where share > 0
               orderby share descending, program.Key
               select new BusyProgram(program.Value.Name, program.Key, Math.Min(1, share)),
        ];
        double ours = Array.Find(programs, program => program.Process == own)?.Share ?? 0;
        return new BackgroundLoad(
            Math.Max(0, use.BusyShare - ours),
            after.Waited - before.Waited is { Ticks: >= 0 } waited ? Math.Clamp(waited / (after.At - before.At), 0, 1) : null,
            [.. programs.Where(program => program.Process != own)]);
    }

    public string? Warning()
    {
        string? reason = Share > MaxShare
            ? Invariant($"other programs took {Share:P0} of the CPU time")
            : Waiting > MaxWaiting ? Invariant($"programs waited for a core in {Waiting:P0} of the time") : null;
        string busiest = Programs.Count == 0
            ? string.Empty
            : Invariant($"; the busiest is '{Programs[0].Name}' (process {Programs[0].Process}) with {Programs[0].Share:P0}");
        return reason is null ? null : Invariant($"The machine is busy: {reason} just now{busiest}.");
    }

    // A process that started since then, even with the number of one that ended, has used all of its time since then.
    private static long TicksBefore(int process, ProgramTime now, MachineSnapshot before) =>
        before.Programs.TryGetValue(process, out ProgramTime? then) && then.Ticks <= now.Ticks ? then.Ticks : 0;
}

internal sealed record BusyProgram(string Name, int Process, double Share);

/// <param name="Waited">The time, since the machine started, in which some program waited for a core; null if the kernel does not count it.</param>
internal sealed record MachineSnapshot(TimeSpan At, MachineTime Machine, TimeSpan? Waited, IReadOnlyDictionary<int, ProgramTime> Programs)
{
    private const string PressureFile = "/proc/pressure/cpu";

    public static MachineSnapshot? Read() => MachineTime.Read() is { } machine
        ? new MachineSnapshot(Stopwatch.GetElapsedTime(0), machine, ReadPressure(), ProgramTime.ReadAll())
        : null;

    private static TimeSpan? ReadPressure() => SystemFiles.ReadLine(PressureFile) is { } line ? ParsePressure(line) : null;

    /// <param name="line">In microseconds, such as <c>some avg10=0.00 avg60=0.00 avg300=0.00 total=4711</c>.</param>
    public static TimeSpan? ParsePressure(string line)
    {
        const string Counter = "total=";
        string? total = Array.Find(line.Split(' '), word => word.StartsWith(Counter, StringComparison.Ordinal))?[Counter.Length..];
        return line.StartsWith("some ", StringComparison.Ordinal) && SystemFiles.NumberOf(total, TimeSpan.TicksPerMicrosecond) is { } ticks
            ? TimeSpan.FromTicks(ticks)
            : null;
    }
}

/// <summary>Since the machine started (Linux: the first lines of /proc/stat, see proc(5)).</summary>
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

    public static MachineTime? Read() => OperatingSystem.IsLinux() ? Parse(SystemFiles.ReadLines(Source)) : null;

    public static MachineTime? Parse(IEnumerable<string> lines)
    {
        string[] cores = [.. lines.Where(line => line.StartsWith("cpu", StringComparison.Ordinal))];
        string? all = Array.Find(cores, line => line.StartsWith("cpu ", StringComparison.Ordinal));

        // A number so small that the sum of all is one.
        long[] fields =
        [
            .. (all ?? string.Empty).Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).Take(StealField + 1)
                .Select(field => SystemFiles.NumberOf(field) is < long.MaxValue / (StealField + 1) and var ticks ? ticks : -1),
        ];
        return fields.Length > StealField && fields.All(field => field >= 0)
            ? new MachineTime(fields.Sum(), fields[IdleField] + fields[WaitField], fields[StealField], cores.Length - 1)
            : null;
    }

    public static MachineUse? Between(MachineTime? before, MachineTime? after) =>
        before is null || after?.Since(before) is not { Total: > 0 } passed ? null : passed.Use();

    public MachineTime? Since(MachineTime earlier) =>
        Total >= earlier.Total && Idle >= earlier.Idle && Steal >= earlier.Steal
            ? new MachineTime(Total - earlier.Total, Idle - earlier.Idle, Steal - earlier.Steal, Cores)
            : null;

    public MachineTime Plus(MachineTime? other) => other is null ? this : new(Total + other.Total, Idle + other.Idle, Steal + other.Steal, Cores);

    public MachineUse Use()
    {
        double steal = (double)Steal / Total;
        return new MachineUse(1 - ((double)Idle / Total) - steal, steal, Cores);
    }
}

/// <param name="Name">The name of the process, without characters that a terminal would obey.</param>
/// <param name="Ticks">The time in user and kernel mode, in the ticks of /proc/stat.</param>
internal sealed record ProgramTime(string Name, long Ticks)
{
    public static IReadOnlyDictionary<int, ProgramTime> ReadAll()
    {
        var programs = new Dictionary<int, ProgramTime>();
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out int process)
                && Parse(SystemFiles.ReadBytes(Path.Combine(folder, "stat"))) is { } program)
            {
                programs[process] = program;
            }
        }

        return programs;
    }

    // Any program may choose its name, and the name is printed.
    public static ProgramTime? Parse(ReadOnlySpan<byte> text) =>
        new ProcStat(text) is { UserTicks: { } user, SystemTicks: { } system } stat ? new ProgramTime(PrintableText.From(stat.Name), user + system) : null;
}
