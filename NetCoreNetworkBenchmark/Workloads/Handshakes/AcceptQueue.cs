namespace NetCoreNetworkBenchmark.Workloads.Handshakes;

/// <summary>The connections that the system has refused or delayed because the accept queue of a listening socket was full (Linux).</summary>
internal static class AcceptQueue
{
    private const string File = "/proc/net/netstat";
    private const string Line = "TcpExt:";
    private const string Counter = "ListenOverflows";

    // The counter of this network namespace since its start; null if the system does not report it.
    public static long? Overflows()
    {
        if (!System.IO.File.Exists(File))
        {
            return null;
        }

        // A line of names is followed by a line of values.
        string[][] lines = [.. System.IO.File.ReadLines(File).Where(line => line.StartsWith(Line, StringComparison.Ordinal)).Select(line => line.Split(' '))];
        int index = lines.Length == 2 ? Array.IndexOf(lines[0], Counter) : -1;
        return index < 0 ? null : long.Parse(lines[1][index], CultureInfo.InvariantCulture);
    }
}
