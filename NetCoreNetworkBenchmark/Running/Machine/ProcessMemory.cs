namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>The memory use of this process, after a full collection that frees all unreferenced objects.</summary>
/// <param name="ResidentBytes">Memory that is present: Linux VmRSS of /proc/self/status (see proc(5)), elsewhere the working set.</param>
internal sealed record ProcessMemory(long ResidentBytes, long ManagedBytes)
{
    private const string Source = "/proc/self/status";
    private const string ResidentKey = "VmRSS:";

    /// <summary>Collects all generations, which stops all threads for some milliseconds, and reads the memory use.</summary>
    public static ProcessMemory Read()
    {
        // Twice: an object with a finalizer is free only after the finalizer has run.
        Collect();
        GC.WaitForPendingFinalizers();
        Collect();
        return new ProcessMemory(Resident(), GC.GetTotalMemory(forceFullCollection: false));
    }

    // Aggressive is the only mode that returns free memory to the system at once. With another mode, the garbage of the connecting would be
    // counted as memory that the clients need.
    internal static void Collect() => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);

    private static long Resident()
    {
        if (OperatingSystem.IsLinux() && File.ReadLines(Source).FirstOrDefault(line => line.StartsWith(ResidentKey, StringComparison.Ordinal)) is { } line)
        {
            // Such as 'VmRSS:     65536 kB', in units of 1,024 bytes.
            return long.Parse(line[ResidentKey.Length..].Trim().Split(' ')[0], CultureInfo.InvariantCulture) * 1024;
        }

        using var process = Process.GetCurrentProcess();
        return process.WorkingSet64;
    }
}
