namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>
/// The resources that another process has used so far, from <c>/proc</c> (proc(5)). A process that has ended counts as none: its time cannot be read.
/// </summary>
/// <param name="UserSeconds">CPU seconds outside the kernel, in steps of a clock tick.</param>
/// <param name="SystemSeconds">CPU seconds in the kernel, in steps of a clock tick.</param>
internal sealed record OtherProcess(double UserSeconds, double SystemSeconds, long VoluntarySwitches, long InvoluntarySwitches)
{
    // The kernel's unit in /proc is fixed for programs, whatever its own is (USER_HZ).
    private const double TicksPerSecond = 100;

    private const int FieldOfUserTime = 14;

    public static OtherProcess Read(int process)
    {
        try
        {
            // The second field is the name in parentheses, which can contain spaces.
            string stat = File.ReadAllText($"/proc/{process}/stat");
            string[] fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
            double At(int field) => long.Parse(fields[field - 3], CultureInfo.InvariantCulture) / TicksPerSecond;
            string[] status = File.ReadAllLines($"/proc/{process}/status");
            return new OtherProcess(
                At(FieldOfUserTime), At(FieldOfUserTime + 1), CountIn(status, "voluntary_ctxt_switches:"), CountIn(status, "nonvoluntary_ctxt_switches:"));
        }
        catch (IOException)
        {
            return new OtherProcess(0, 0, 0, 0);
        }
    }

    /// <summary>Counts the threads of a process; 0 if it has ended.</summary>
    public static int ThreadCount(int process) =>
        Directory.Exists($"/proc/{process}/task") ? Directory.GetDirectories($"/proc/{process}/task").Length : 0;

    private static long CountIn(string[] status, string name) =>
        status.FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal)) is { } line
            ? long.Parse(line.AsSpan(name.Length).Trim(), CultureInfo.InvariantCulture)
            : 0;
}
