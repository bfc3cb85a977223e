using System.Diagnostics;
using System.Globalization;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>What this process keeps in memory, after a full collection that gives back what nothing refers to.</summary>
/// <param name="ResidentBytes">Memory that is present: Linux VmRSS of /proc/self/status (see proc(5)), elsewhere the working set.</param>
/// <param name="ManagedBytes">Objects of the managed heap (<see cref="GC.GetTotalMemory"/>).</param>
internal sealed record ProcessMemory(long ResidentBytes, long ManagedBytes)
{
    private const string Source = "/proc/self/status";
    private const string ResidentKey = "VmRSS:";

    /// <summary>Collects all generations, which stops all threads for some milliseconds, and reads.</summary>
    public static ProcessMemory Read()
    {
        // Twice: what has a finalizer is free only after it has run.
        Collect();
        GC.WaitForPendingFinalizers();
        Collect();
        return new ProcessMemory(Resident(), GC.GetTotalMemory(forceFullCollection: false));
    }

    // Aggressive is the only mode that gives free memory back to the system at once; otherwise the garbage of connecting would be
    // counted as what the clients need.
    private static void Collect() => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);

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
