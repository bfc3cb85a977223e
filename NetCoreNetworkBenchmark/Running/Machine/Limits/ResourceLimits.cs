using NetCoreNetworkBenchmark.Running.Machine.Native;

namespace NetCoreNetworkBenchmark.Running.Machine.Limits;

internal static class DescriptorLimit
{
    /// <summary>
    /// Descriptors that the process itself needs. A server without clients has 90 open, with Kestrel 147: the runtime, the console, wake-ups. The runtime ends
    /// a process that has none left when it compiles a method or starts a thread, and sockets are accepted before they are refused, so there are some to spare.
    /// </summary>
    public const int Reserved = 224;

    // sys/select.h of macOS. PollLoop calls Socket.Select there, and .NET before dotnet/runtime#126235 can write past a set with a higher descriptor.
    private const int FD_SETSIZE = 1024;

    // RLIMIT_NOFILE is 7 on Linux (asm-generic/resource.h) and 8 on macOS and BSD (sys/resource.h).
    private static int Resource => OperatingSystem.IsLinux() ? 7 : 8;

    /// <summary>Every user may raise the soft limit to the hard limit.</summary>
    public static long? Raise()
    {
        if (OperatingSystem.IsWindows() || SysResource.getrlimit(Resource, out SysResource.RLimit limit) != 0)
        {
            return null;
        }

        ulong highest = HighestFor(limit.rlim_max, OperatingSystem.IsMacOS());
        if (limit.rlim_cur != highest)
        {
            // If the system refuses, the old limit stays in force and is returned.
            _ = SysResource.setrlimit(Resource, limit with { rlim_cur = highest });
        }

        return Current();
    }

    public static ulong HighestFor(ulong hardLimit, bool isMacOs) => isMacOs ? Math.Min(hardLimit, FD_SETSIZE) : hardLimit;

    /// <summary>For the end of a sentence.</summary>
    public static string RemedyFor(long needed, bool isMacOs) => isMacOs
        ? "with more, .NET on macOS can write past the sets of select (dotnet/runtime#126235): run it on Linux"
        : Invariant($"raise the limit with 'ulimit -n {needed}'");

    public static long? Current() => SysResource.LimitOf(Resource);

    /// <summary>The most connections of a server that leave descriptors for the process and, if there are more than the clients, for clients in it.</summary>
    public static int ForConnections(int clients)
    {
        int left = ForSockets();
        return Math.Max(left - clients, Math.Min(left, clients));
    }

    /// <summary>The most sockets that leave descriptors for the process.</summary>
    public static int ForSockets() => (int)Math.Clamp((Current() ?? int.MaxValue) - Reserved, 0, int.MaxValue);
}

/// <summary>The kernel also counts each process as one thread.</summary>
/// <param name="Owner">The owner of the limit and its name, for the middle of a sentence.</param>
/// <param name="Refusals">How often the limit has refused a thread so far; 0 if the system does not count that.</param>
/// <param name="Remedy">How to raise the limit, for the end of a sentence.</param>
internal sealed record ThreadLimit(string Owner, long Max, long Used, long Refusals, string Remedy)
{
    /// <summary>Besides those of the plan. Measured on two cores: 16 are too few for a process, 18 suffice. Without any left, the runtime ends it.</summary>
    public const int Reserved = 20;

    /// <summary>One starts the child process, one reads from it and one writes to it.</summary>
    public const int OfChild = 3;

    // RLIMIT_NPROC (asm-generic/resource.h).
    private const int RLIMIT_NPROC = 6;

    private const long MaxCounted = 10_000;

    public long Left => Max - Used;

    /// <param name="threads">Including those that this process has already.</param>
    public bool Allows(long threads) => threads <= Left + Directory.GetDirectories("/proc/self/task").Length;

    public string Text => Invariant($"{Owner} allows {Max} threads, of which {Used} are in use");

    public static ThreadLimit? Find() =>
        OperatingSystem.IsLinux() ? new ControlGroup().ThreadLimits().Concat(OfUser()).MinBy(limit => limit.Left) : null;

    /// <returns>Null if the limit is not a likely reason for a failure.</returns>
    public static string? Explain(ThreadLimit? before) => Find() is { } now && before is not null && (now.Refusals > before.Refusals || now.Left < OfChild)
        ? $"The system refused a thread or a process: {now.Text}; {now.Remedy}."
        : null;

    // The superuser is not limited (getrlimit(2)). The default of most systems is far above what a run needs, and is not worth the search for all threads.
    private static IEnumerable<ThreadLimit> OfUser() => !Environment.IsPrivilegedProcess && SysResource.LimitOf(RLIMIT_NPROC) is { } max and < MaxCounted
        ? [new ThreadLimit("its user (ulimit -u)", max, ThreadsOfUser(), 0, "raise it, such as with 'ulimit -u 4096'")]
        : [];

    private static long ThreadsOfUser()
    {
        string? own = SystemFiles.StatusOf("self", "Uid");
        return Directory.GetDirectories("/proc").Select(folder => Path.GetFileName(folder)).Where(name => char.IsAsciiDigit(name[0]))
            .Where(process => SystemFiles.StatusOf(process, "Uid") == own)
            .Sum(process => Math.Min(int.MaxValue, SystemFiles.NumberOf(SystemFiles.StatusOf(process, "Threads")) ?? 0));
    }
}
