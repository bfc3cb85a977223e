using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

internal static class SetMemory
{
    // Measured in Benchmark 2: a process has 60 to 115 MB resident. A client's buffers, those of the kernel too, come in addition.
    private const long BytesOfProcesses = 230L << 20;
    private const long BytesOfClient = 64L << 10;

    // Other programs also need memory.
    private const double MostShare = 0.8;

    public static long Available() => (long)(MostShare * GC.GetGCMemoryInfo().TotalAvailableMemoryBytes);

    /// <summary>Divides the cases of a benchmark into groups that fit into the memory. The baseline takes part in each, so that it can be compared.</summary>
    /// <param name="memory">The memory in bytes. A group has two cases at least.</param>
    public static IReadOnlyList<SuiteCase[]> Divide(IReadOnlyList<SuiteCase> cases, SuiteCase baseline, long memory)
    {
        long ofCase = BytesOfProcesses + (BytesOfClient * baseline.Plan.Clients);
        int most = (int)Math.Clamp(memory / ofCase, 2, int.MaxValue);
        return cases.Count <= most
            ? [[.. cases]]
            :
            [
                .. from others in cases.Where(suiteCase => suiteCase != baseline).Chunk(most - 1)
                   select cases.Where(suiteCase => suiteCase == baseline || others.Contains(suiteCase)).ToArray(),
            ];
    }
}
