namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>The limit of open descriptors of this process (<c>sys/resource.h</c>, RLIMIT_NOFILE), which limits the number of clients.</summary>
internal static class DescriptorLimit
{
    /// <summary>
    /// Descriptors that the process itself needs. A server without clients has 90 open, with Kestrel 147: the runtime, the console, wake-ups. The runtime ends
    /// a process that has none left when it compiles a method or starts a thread, and sockets are accepted before they are refused, so there are some to spare.
    /// </summary>
    public const int Own = 224;

    // RLIMIT_NOFILE is 7 on Linux (asm-generic/resource.h) and 8 on macOS and BSD (sys/resource.h).
    private static int Resource => OperatingSystem.IsLinux() ? 7 : 8;

    /// <summary>Raises the soft limit to the hard limit, which every user may do.</summary>
    public static long? Raise()
    {
        if (OperatingSystem.IsWindows() || SysResource.getrlimit(Resource, out SysResource.RLimit limit) != 0)
        {
            return null;
        }

        if (limit.rlim_cur < limit.rlim_max)
        {
            // If the system refuses, the old limit stays in force and is returned.
            _ = SysResource.setrlimit(Resource, limit with { rlim_cur = limit.rlim_max });
        }

        return Current();
    }

    public static long? Current() => SysResource.LimitOf(Resource);

    /// <summary>The most connections of a server that leave descriptors for the process and, if there are more than the clients, for clients in it.</summary>
    public static int ForConnections(int clients)
    {
        long left = Math.Clamp((Current() ?? int.MaxValue) - Own, 0, int.MaxValue);
        return (int)Math.Max(left - clients, Math.Min(left, clients));
    }
}
