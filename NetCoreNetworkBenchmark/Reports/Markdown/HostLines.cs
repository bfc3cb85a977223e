using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Lines about the hosts of a run over several.</summary>
internal static class HostLines
{
    /// <summary>Writes the lines; none if all processes were on one machine.</summary>
    public static void Write(RunResult result, TextWriter writer)
    {
        if (result.Hosts is not { } hosts)
        {
            return;
        }

        writer.WriteLine(
            hosts.StartSkewMilliseconds is { } skew
                ? Invariant($"Hosts: started by {hosts.Launcher}, measurements began within {skew:N1} ms")
                : $"Hosts: started by {hosts.Launcher}");
        if (hosts.Server is { } server)
        {
            writer.WriteLine($"Host {server.Host}: server, {Costs(server)}");
        }

        foreach (HostResult host in hosts.Clients)
        {
            string latency = host.LatencyMicroseconds is { } found ? Invariant($", p50 {found.P50:N3} µs, p99 {found.P99:N3} µs") : string.Empty;
            string share = host.Share is { } known ? Invariant($" ({known:P1})") : string.Empty;
            writer.WriteLine(
                Invariant($"Host {host.Host}: {host.Clients:N0} clients, {host.Messages:N0} messages{share}{latency}, {Costs(host)}"));
        }

        foreach (MissingHost host in hosts.Missing ?? [])
        {
            string part = host.Clients is { } clients ? Invariant($"{clients:N0} clients") : "server";
            writer.WriteLine($"Host {host.Host}: {part}, no figures");
        }
    }

    private static string Costs(HostResult host) => $"{Figure(host.Cost.CpuMicrosecondsPerMessage, "N3", " µs")} CPU a message, " +
        Invariant($"{host.Environment.Cores} cores of {host.Environment.Cpu}, {host.Environment.Framework}");
}
