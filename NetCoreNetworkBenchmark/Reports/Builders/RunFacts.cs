using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static class RunFacts
{
    private const double BytesPerStep = 1024;
    private static readonly string[] s_units = ["KiB", "MiB", "GiB", "TiB"];

    // "Message latency" is the mean of the measured latencies. NetCoreServer's programs print the time divided by the number of messages.
    public static IEnumerable<Fact> Throughput(RunResult run)
    {
        double bytes = run.Messages.ClientReceived * run.Plan.MeanMessageSize;
        Fact rate = new("Message throughput", Figure(run.MessagesPerSecond, unit: " msg/s"));
        if (run is { FirstFigures: null, IsOneWay: false })
        {
            return
            [
                new("Duration", Figure(run.DurationSeconds, ThreeDecimals, " s")),
                .. Totals(run),
                new("Total data", Figure(bytes / BytesPerMebibyte, "N2", " MiB")),
                new("Data throughput", Figure(run.MebibytesPerSecond, "N2", " MiB/s")),
                rate,
                MeanOf(run),
            ];
        }

        Fact[] figures =
        [
            new("Errors", Figure(run.Errors)),
            new("Total time", Figure(run.DurationSeconds, ThreeDecimals, " s")),
            new("Total data", DataSize(bytes)),
            new("Total messages", Figure(run.Messages.ClientReceived)),
            new("Data throughput", $"{DataSize(run.DurationSeconds <= 0 ? 0 : bytes / run.DurationSeconds)}/s"),
            MeanOf(run),
            rate,
        ];
        IEnumerable<Fact> first = run.FirstFigures?.Join(figures, name => name, figure => figure.Name, (_, figure) => figure) ?? figures;
        return [.. first, .. Totals(run), .. Fairness(run.Clients.Fairness)];
    }

    public static IEnumerable<Fact> Deliveries(RunResult run) =>
    [
        .. Schedule(run),
        .. Ticks(run),
        .. run.Clients.Parts.Where(part => part.Latency.Microseconds is null).Select(part => new Fact(part.Name, "not measured")),
        .. run.Clients.Distributions.Select(times => new Fact(times.Name, DistributionOf(times.Latency, run.DurationSeconds))),
        .. run.Clients.Figures.Select(figure => new Fact(figure.Name, Invariant($"{figure.Value:0.######} {figure.Unit}").TrimEnd())),
        new("Lost", Figure(run.Lost)),
        new("Duplicated", Figure(run.Duplicated)),
        new("Reordered", Figure(run.Reordered)),
        new("Corrupted", Figure(run.Corrupted)),
        new("Errors", Figure(run.Errors) + Names(run.ErrorsByName)),
        .. Unsolicited(run.Server?.Unsolicited),
        .. Heartbeats(run),
        .. run.Reconnections is null ? [Ended(run.Disconnects)] : (Fact[])[],
        .. Connections(run.Reconnections),
        .. Hosts(run.Hosts),
    ];

    public static IEnumerable<Fact> Circumstances(RunResult run) =>
    [
        new("Warm-up", run.Clients.WarmUpSeconds == 0
            ? "none"
            : Invariant($"{run.Clients.WarmUpSeconds:0.0} s, {(run.Clients.WarmUpSteady ? "until the rate was steady" : "the rate was not steady")}")),
        new("Iterations", run.Clients.Iterations.Count < 2
            ? null
            : $"{string.Join(", ", run.Clients.Iterations.Select(iteration => Figure(iteration.MessagesPerSecond)))} msg/s"),
        Parts(
            "Updates of the loop",
            run.Plan.ServerUpdateRate is { } server ? Invariant($"server {server} Hz") : null,
            run.Plan.ClientUpdateRate is { } clients ? Invariant($"clients {clients} Hz") : null),
        new("Think time", run.Plan.Think == TimeSpan.Zero ? null : Invariant($"{run.Plan.Think.TotalMilliseconds} ms")),
        new("Payload", run.Plan.Payload is { } payload
            ? $"{Path.GetFileName(payload.File)}: {Plural.Format(payload.Messages, "message")} of {Format.SizeOf(run.Plan)}, " +
                Invariant($"mean {payload.MeanSize:N1}, SHA-256 {payload.Sha256}")
            : null),
        .. (run.Plan.Assemblies ?? []).Select(assembly => new Fact("Assembly", $"{assembly.Name} {assembly.Version}, SHA-256 {assembly.Sha256}")),
        new("Clients", run.ClientLibrary is null ? null : $"{run.ClientLibrary} {run.Clients.LibraryVersion}"),
        .. Tls(run.Tls),
        .. Sides(run.Plan.Settings, run.Server, run.Clients),
        new("Runtime", run.Plan.Runtime.IsNone
            ? null
            : $"{run.Plan.Runtime} (numbers are hexadecimal); garbage collectors: server {run.Server?.GarbageCollector ?? "unknown"}, " +
                $"clients {run.Clients.GarbageCollector ?? "unknown"}"),
    ];

    public static string Reported(long? messages) => Figure(messages) is not "-" and var text ? text : "not reported by the server";

    public static IEnumerable<Fact> Unsolicited(IReadOnlyDictionary<string, long>? traffic) =>
        (traffic ?? new Dictionary<string, long>()).Select(kind => new Fact($"Unsolicited {kind.Key}", Figure(kind.Value)));

    public static Fact Ended(IReadOnlyDictionary<string, long> connections) =>
        new("Connections that ended", connections.Count == 0 ? null : Figure(connections.Values.Sum()) + Names(connections));

    public static IEnumerable<Fact> Sides(IReadOnlyDictionary<string, string> settings, SideReport? server, SideReport? clients) =>
    [
        Parts("Settings", [.. settings.Select(setting => $"{setting.Key}={setting.Value}")]),
        Parts("Threads", Threads("server", server?.Threads), Threads("clients", clients?.Threads)),
        Parts("Cores", Cores("server", server?.Pinning), Cores("clients", clients?.Pinning)),
    ];

    public static IEnumerable<Fact> Tls(TlsResult? tls) => tls is null ? [] :
    [
        new("TLS", (tls.Key is null ? "key not reported" : $"key {tls.Key}") +
            $"{(tls.Mutual ? ", mutual" : string.Empty)}{(tls.OpenSslVersion is null ? string.Empty : $", OpenSSL {tls.OpenSslVersion}")}"),
        new("TLS handshakes", tls.Clients.Count > 0 ? Handshakes(tls.Clients) : null),
        new("TLS handshakes as the server counts them", tls.Server is { Count: > 0 } server && !server.SequenceEqual(tls.Clients) ? Handshakes(server) : null),
    ];

    private static Fact MeanOf(RunResult run) => new("Message latency", (run.LatencyMicroseconds, run.IsOneWay) switch
    {
        ({ } latency, true) => $"{Time(latency.Mean)} (one way)",
        ({ } latency, _) => Time(latency.Mean),
        (_, false) => "not measured, no message came back",
        _ when run.Messages.ClientReceived == 0 => "not measured, no message reached a client",
        _ => "not measured, one way needs one clock at both ends and messages of 16 bytes",
    });

    // The interval of the server begins and ends a little later. In slices it may contain the suspension at their ends.
    private static IEnumerable<Fact> Totals(RunResult run) =>
    [
        new("Messages sent by clients", Figure(run.Messages.ClientSent)),
        new("Messages server received", Reported(run.Messages.ServerReceived) +
            (run.Server is { Received: not null, Idle: null, Cost.Seconds: var seconds } ? Invariant($" in {seconds:0.000} s") : string.Empty)),
        new("Messages sent by server", Reported(run.Messages.ServerSent)),
        new("Messages clients received", Figure(run.Messages.ClientReceived)),
    ];

    private static IEnumerable<Fact> Fairness(ClientFairness? fairness) => fairness is null ? [] :
    [
        new("Messages a client received", Invariant($"fewest {fairness.Fewest:N0}, median {fairness.Median:N0}, most {fairness.Most:N0}")),
        new("Slow clients (less than half the median)", fairness.SlowClients == 0 ? null :
            string.Join(", ", fairness.Slowest.Select(client => Invariant($"number {client.Client} with {client.Messages:N0}"))) +
                (fairness.SlowClients > fairness.Slowest.Count ? Invariant($" and {fairness.SlowClients - fairness.Slowest.Count:N0} more") : string.Empty)),
    ];

    private static string DistributionOf(LatencyReport times, double seconds) => Invariant($"{times.Count:N0} in all, ") +
        Invariant($"{(seconds > 0 ? times.Count / seconds : 0):N1} per second{(times.Microseconds is null ? ", not measured" : string.Empty)}");

    private static IEnumerable<Fact> Schedule(RunResult run) =>
    [
        new("Rate requested", run.Schedule is { } schedule
            ? Invariant($"{schedule.RequestedPerSecond:N0} msg/s{(run.Knee is null ? string.Empty : " on average")}, ") +
                Invariant($"sent: {schedule.SentPerSecond:N0} msg/s, {schedule.LateShare:P2} later than {schedule.LateBoundMilliseconds:0.#} ms after due")
            : null),
        new("Uncorrected", run.Clients.Uncorrected?.Microseconds is null ? null : "as a client that waits for its answers would measure it"),
    ];

    private static IEnumerable<Fact> Ticks(RunResult run) => run.Ticks is not { } ticks ? [] :
    [
        new("Ticks", Invariant($"{ticks.Count:N0}, {ticks.LateShare:P2} missed")),
        new("Server CPU", Invariant($"{run.Costs.Server!.BusyCores:P1} of a core, {ticks.BusyCoresPerClient:P3} for each client")),
        new("Server per tick", Invariant($"{Time(ticks.CpuMicroseconds)} CPU time, {ticks.AllocatedBytes:N0} bytes allocated, ") +
            Invariant($"{ticks.Collections:0.####} collections, {ticks.PauseMicroseconds:N1} µs of pauses")),
    ];

    private static IEnumerable<Fact> Heartbeats(RunResult run) => run.Plan.Liveness.Heartbeat is null ? [] :
    [
        new("Heartbeats sent by clients", Figure(run.Clients.Measured.HeartbeatsSent)),
        new("Heartbeats server received", Reported(run.Server?.HeartbeatsReceived)),
        new("Heartbeats sent by server", Reported(run.Server?.HeartbeatsSent)),
        new("Heartbeats clients received", Figure(run.Clients.Measured.HeartbeatsReceived)),
    ];

    // Each side counts each end once, by its own reason.
    private static IEnumerable<Fact> Connections(ReconnectionReport? connections)
    {
        if (connections is null)
        {
            return [];
        }

        ILookup<bool, KeyValuePair<string, long>> sides = connections.Reasons.ToLookup(reason => reason.Key.StartsWith("server ", StringComparison.Ordinal));
        return
        [
            new("Connections lost", Figure(connections.Lost) + Names(sides[false].ToDictionary())),
            new("Connections lost as the server counts them", sides[true].Any()
                ? Figure(sides[true].Sum(reason => reason.Value)) + Names(sides[true].ToDictionary())
                : null),
            new("Connections opened again", $"{Figure(connections.Returned)} in {Plural.Format(connections.Attempts, "attempt")}"),
            new("From the loss to the first answer", connections.Gaps.Microseconds is { } gap
                ? (gap.Min is { } min ? $"min {Milliseconds(min)}, " : string.Empty) +
                    $"mean {Milliseconds(gap.Mean)}, p50 {Milliseconds(gap.P50)}, p99 {Milliseconds(gap.P99)}, max {Milliseconds(gap.Max)}"
                : "no client got one"),
        ];
    }

    private static IEnumerable<Fact> Hosts(HostsResult? hosts) => hosts is null ? [] :
    [
        new("Hosts", $"started by {hosts.Launcher}" +
            (hosts.StartSkewMilliseconds is { } skew ? Invariant($", measurements began within {skew:N1} ms") : string.Empty)),
        .. hosts.Server is { } server ? [new Fact($"Host {server.Host}", $"server, {CostOf(server)}")] : (Fact[])[],
        .. hosts.Clients.Select(host => new Fact($"Host {host.Host}",
            $"{Plural.Format(host.Clients ?? 0, "client")}, {Plural.Format(host.Messages ?? 0, "message")}" +
                (host.Share is { } share ? Invariant($" ({share:P1})") : string.Empty) +
                (host.LatencyMicroseconds is { } latency ? $", p50 {Time(latency.P50)}, p99 {Time(latency.P99)}" : string.Empty) +
                $", {CostOf(host)}")),
        .. (hosts.Missing ?? []).Select(host => new Fact(
            $"Host {host.Host}", $"{(host.Clients is { } clients ? Plural.Format(clients, "client") : "server")}, no figures")),
    ];

    private static string CostOf(HostResult host) => $"{Time(host.Cost.CpuMicrosecondsPerMessage)} CPU per message, " +
        $"{Plural.Format(host.Environment.Cores, "core")} of {host.Environment.Cpu}, {host.Environment.Framework}";

    private static Fact Parts(string name, params string?[] parts) =>
        new(name, parts.OfType<string>().Any() ? string.Join(", ", parts.OfType<string>()) : null);

    private static string? Threads(string side, int? threads) => threads is null ? null : Invariant($"{side} {threads:N0}");

    // The actual cores; the requested cores only if they differ.
    private static string? Cores(string name, SidePinning? side) => side is null ? null
        : side.Requested.SequenceEqual(side.Cores) ? $"{name} {CoreList.Text(side.Cores)}"
        : $"{name} {CoreList.Text(side.Cores)} (requested {CoreList.Text(side.Requested)})";

    private static string Handshakes(IEnumerable<NegotiatedTls> handshakes) => string.Join("; ", handshakes.Select(handshake => Invariant(
        $"{handshake.Count:N0} of {handshake.Version}, {handshake.Cipher}") +
            $"{(handshake.Group is null ? string.Empty : $", {handshake.Group}")}{Resumption(handshake)}"));

    private static string Resumption(NegotiatedTls handshake) => handshake switch
    {
        { Resumed: true, ResumedBy: { } how } => $", resumed by {how}",
        { Resumed: true } => ", resumed",
        { Resumed: false, Tickets: > 0 and var tickets } => $", not resumed, {Plural.Format(tickets, "ticket")} each",
        { Resumed: false } => ", not resumed",
        _ => string.Empty,
    };

    private static string DataSize(double bytes)
    {
        int unit = bytes < BytesPerStep ? 0 : Math.Min((int)Math.Log(bytes, BytesPerStep), s_units.Length);
        return unit == 0 ? Plural.Format((long)bytes, "byte") : Figure(bytes / Math.Pow(BytesPerStep, unit), ThreeDecimals, $" {s_units[unit - 1]}");
    }
}
