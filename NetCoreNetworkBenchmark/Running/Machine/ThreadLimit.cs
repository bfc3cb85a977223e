namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>A limit of the threads that may live, to which the kernel also counts each process as one.</summary>
/// <param name="Owner">The owner of the limit and its name, for the middle of a sentence.</param>
/// <param name="Refusals">How often the limit has refused a thread so far; 0 if the system does not count that.</param>
/// <param name="Remedy">How to raise the limit, for the end of a sentence.</param>
internal sealed record ThreadLimit(string Owner, long Most, long Used, long Refusals, string Remedy)
{
    /// <summary>
    /// Threads that each process needs besides those that the plan asks for. Measured on two cores: 16 do not suffice for one process, 18 do. The runtime ends
    /// a process that has none left.
    /// </summary>
    public const int Own = 20;

    /// <summary>Threads that each child process needs in this one: one starts it, one reads from it and one writes to it.</summary>
    public const int OfChild = 3;

    // RLIMIT_NPROC (asm-generic/resource.h).
    private const int RLIMIT_NPROC = 6;

    private const long MostCounted = 10_000;

    public long Left => Most - Used;

    /// <summary>Determines whether this process and its children can have so many threads, including those that this process has already.</summary>
    public bool Allows(long threads) => threads <= Left + Directory.GetDirectories("/proc/self/task").Length;

    /// <summary>The limit and its use, for the middle of a sentence.</summary>
    public string Text => string.Create(CultureInfo.InvariantCulture, $"{Owner} allows {Most} threads, of which {Used} are in use");

    /// <summary>Returns the limit that leaves the fewest threads; null if there is none.</summary>
    public static ThreadLimit? Find() =>
        OperatingSystem.IsLinux() ? new ControlGroup().ThreadLimits().Concat(OfUser()).MinBy(limit => limit.Left) : null;

    /// <summary>Explains a failure if the limit is a likely reason; null if it is not.</summary>
    public static string? Explain(ThreadLimit? before) => Find() is { } now && before is not null && (now.Refusals > before.Refusals || now.Left < OfChild)
        ? $"The system refused a thread or a process: {now.Text}; {now.Remedy}."
        : null;

    // The superuser is not limited (getrlimit(2)). The default of most systems is far above what a run needs, and is not worth the search for all threads.
    private static IEnumerable<ThreadLimit> OfUser() => !Environment.IsPrivilegedProcess && SysResource.LimitOf(RLIMIT_NPROC) is { } most and < MostCounted
        ? [new ThreadLimit("its user (ulimit -u)", most, ThreadsOfUser(), 0, "raise it, such as with 'ulimit -u 4096'")]
        : [];

    private static long ThreadsOfUser()
    {
        string? own = ValueOf("self", "Uid:");
        return Directory.GetDirectories("/proc").Select(folder => Path.GetFileName(folder)).Where(name => char.IsAsciiDigit(name[0]))
            .Where(process => ValueOf(process, "Uid:") == own)
            .Sum(process => long.TryParse(ValueOf(process, "Threads:"), CultureInfo.InvariantCulture, out long threads) ? threads : 0);
    }

    private static string? ValueOf(string process, string field) => MachineInspector.ReadText($"/proc/{process}/status")?.Split('\n')
        .FirstOrDefault(line => line.StartsWith(field, StringComparison.Ordinal))?[field.Length..].Split('\t', StringSplitOptions.RemoveEmptyEntries)[0];
}
