namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>The time that the machine and each of its programs had used at one moment.</summary>
/// <param name="Waited">The time, since the machine started, in which some program waited for a core; null if the kernel does not count it.</param>
internal sealed record MachineSnapshot(TimeSpan At, MachineTime Machine, TimeSpan? Waited, IReadOnlyDictionary<int, ProgramTime> Programs)
{
    private const string PressureFile = "/proc/pressure/cpu";

    public static MachineSnapshot? Read() => MachineTime.Read() is { } machine
        ? new MachineSnapshot(Stopwatch.GetElapsedTime(0), machine, ReadPressure(), ProgramTime.ReadAll())
        : null;

    private static TimeSpan? ReadPressure() => MachineInspector.ReadLine(PressureFile) is { } line ? ParsePressure(line) : null;

    /// <summary>Reads the counter of microseconds from a line such as <c>some avg10=0.00 avg60=0.00 avg300=0.00 total=4711</c>.</summary>
    public static TimeSpan? ParsePressure(string line)
    {
        const string Counter = "total=";
        string? total = Array.Find(line.Split(' '), word => word.StartsWith(Counter, StringComparison.Ordinal))?[Counter.Length..];
        return line.StartsWith("some ", StringComparison.Ordinal) && long.TryParse(total, CultureInfo.InvariantCulture, out long microseconds)
            ? TimeSpan.FromMicroseconds(microseconds)
            : null;
    }
}
