using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Outcome;

internal static class HostFigures
{
    public const double MaxDeviation = 0.10;

    /// <summary>The share of CPU time from which on the clients of a host may have been measured instead of the server.</summary>
    public const double Saturation = 0.95;

    public static HostsResult? From(RunMeasurements measurements)
    {
        HostsPlan hosts = measurements.Plan.Hosts;
        if (hosts.AreThisMachine)
        {
            return null;
        }

        HostReport[] all = [.. measurements.GeneratorHosts.Append(measurements.ServerHost).OfType<HostReport>()];
        MissingHost[] missing = [.. measurements.MissingHosts];
        return new HostsResult(
            hosts.Launcher.ToString().ToLowerInvariant(),
            measurements.StartSkew?.TotalMilliseconds,
            measurements.ServerHost is { } server && measurements.Server is { Cost: { } cost } served
                ? OfHost(server, all, served.LibraryVersion, cost)
                : null,
            [
                .. measurements.LoadGenerators.Zip(measurements.GeneratorHosts)
                    .Where(pair => pair.Second is not null)
                    .Select(pair => OfClients(pair.First, pair.Second!, all, measurements)),
            ])
        {
            Missing = missing.Length == 0 ? null : missing,
        };
    }

    public static IEnumerable<string> FindFaults(HostsResult hosts, string? fault = null)
    {
        foreach (MissingHost host in hosts.Missing ?? [])
        {
            string part = host.Clients is { } some ? Plural.Format(some, "client") : "the server";
            yield return $"{host.Host} has no figures ({part}){(host.Reason == fault ? "." : $": {host.Reason}")}";
        }

        foreach (HostResult host in hosts.Clients)
        {
            if (IsUneven(host) && host.SameMachine.Count == 0)
            {
                yield return $"{Uneven(host)}, so the hosts were compared and not the servers.{DifferenceOf(host, hosts)}";
            }

            double busy = Math.Max(host.BusyShare ?? 0, (host.Cost.BusyCores ?? 0) / ClientLimit.CoresOf(host.Environment));
            if (busy >= Saturation && host.SameMachine.Count == 0)
            {
                yield return Invariant($"{host.Host} was saturated: {busy:P0} of its CPU time was used ") +
                    Invariant($"(limit: {Saturation:P0}), so its clients were measured and not the server.");
            }
        }

        foreach (HostResult host in hosts.Clients.Append(hosts.Server).OfType<HostResult>())
        {
            if (Math.Abs(host.ClockStepSeconds) > ClockWatch.MaxDrift.TotalSeconds)
            {
                yield return Invariant($"The clock of {host.Host} was set by {host.ClockStepSeconds:0.###} s during the run.");
            }
        }
    }

    public static IEnumerable<string> FindRemarks(HostsResult hosts, bool isOneLibrary)
    {
        HostResult[] all = [.. hosts.Clients.Append(hosts.Server).OfType<HostResult>()];
        foreach (string machine in all.Where(host => host.SameMachine.Count > 0)
            .Select(host => string.Join(", ", host.SameMachine.Append(host.Host).Order(StringComparer.Ordinal))).Distinct())
        {
            yield return $"{machine} are one machine, and their processes share its cores.";
        }

        string[] uneven = [.. hosts.Clients.Where(host => IsUneven(host) && host.SameMachine.Count > 0).Select(Uneven)];
        if (uneven.Length > 0)
        {
            yield return $"{string.Join("; ", uneven)}. The system divides the cores of one machine, so this is not a fault of a host.";
        }

        HostResult[] comparable = [.. isOneLibrary ? all : hosts.Clients];
        if (comparable.Select(host => host.LibraryVersion).Distinct().Count() > 1)
        {
            yield return "The hosts have different versions of the library: " +
                $"{string.Join(", ", comparable.Select(host => $"{host.Host} {host.LibraryVersion}"))}.";
        }
    }

    private static bool IsUneven(HostResult host) => host is { DueShare: { } due and > 0, Share: { } share } && Math.Abs((share / due) - 1) > MaxDeviation;

    private static string Uneven(HostResult host) => Invariant($"The clients on {host.Host} were {host.DueShare:P1} of the clients ") +
        Invariant($"and had {host.Share:P1} of the messages (limit: ±{MaxDeviation:P0})");

    private static string DifferenceOf(HostResult host, HostsResult hosts)
    {
        (string cpu, int cores) = (host.Environment.Cpu, host.Environment.Cores);
        return hosts.Clients.FirstOrDefault(other => (other.Environment.Cpu, other.Environment.Cores) != (cpu, cores)) is { } differs
            ? Invariant($" It has {cores} cores of {cpu}, {differs.Host} has {differs.Environment.Cores} of {differs.Environment.Cpu}.")
            : string.Empty;
    }

    private static HostResult OfClients(ClientReport generator, HostReport host, IReadOnlyList<HostReport> all, RunMeasurements measurements)
    {
        // The messages of a host that did not report are not known, so no other host has a known share.
        long received = measurements.MissingHosts.Any(missing => missing.Clients is not null) ? 0 : measurements.Clients.Measured.ClientReceived;
        return OfHost(host, all, generator.LibraryVersion, generator.Cost) with
        {
            Clients = generator.Clients,
            Messages = generator.Measured.ClientReceived,
            DueShare = (double)generator.Clients / measurements.Plan.Clients,
            Share = received == 0 ? null : (double)generator.Measured.ClientReceived / received,
            DurationSeconds = generator.DurationSeconds,
            LatencyMicroseconds = generator.Latency.Microseconds,
            Histogram = generator.Latency.Histogram,
            BusyShare = generator.Machine?.BusyShare,
        };
    }

    private static HostResult OfHost(HostReport host, IReadOnlyList<HostReport> all, string libraryVersion, ProcessCost cost) => new(
        host.Name,
        host.Facts.MachineName,
        Clients: null, Messages: null, DueShare: null, Share: null, DurationSeconds: null, LatencyMicroseconds: null, Histogram: null,
        cost,
        BusyShare: null,
        host.ClockStep.TotalSeconds,
        SameMachine:
        [
            .. all.Where(other => other.Name != host.Name && other.Facts.BootId is not null && other.Facts.BootId == host.Facts.BootId)
                .Select(other => other.Name).Distinct(),
        ],
        libraryVersion,
        host.Facts.Environment,
        host.Facts.Fitness);
}
