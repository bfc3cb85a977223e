using System.Globalization;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Comparing;

/// <summary>What must be the same for two launches to be comparable.</summary>
internal sealed record CaseKey(
    string Benchmark,
    string Library,
    string Test,
    string Protocol,
    string Transmission,
    int Clients,
    int ParallelMessages,
    double? Rate,
    int MessageSize,
    string Impairment,
    string Stream,
    string Sides)
{
    public static CaseKey Of(string benchmark, RunResult result) => new(
        benchmark,
        result.Name,
        result.Test,
        result.Protocol,
        result.Transmission,
        result.Clients,
        result.ParallelMessages,
        result.Schedule?.AskedPerSecond,
        result.MessageSize,
        string.Join(' ', result.Impairment?.Asked.Select(asked => $"{asked.Key} {asked.Value}") ?? []),
        string.Join(", ", StreamOf(result)),
        string.Join(' ', SidesOf(result)));

    /// <summary>What a person calls it; one name may stand for several loads.</summary>
    public string Name => $"{Benchmark}, {Library}";

    /// <summary>What is asked of the library.</summary>
    public string Load => string.Create(
        CultureInfo.InvariantCulture,
        $"{Protocol} {Transmission}, {Clients} clients, {(Rate is null ? $"{ParallelMessages} messages" : $"{Rate} msg/s")}, {MessageSize} bytes{(Stream.Length == 0 ? string.Empty : ", ")}{Stream}{(Impairment.Length == 0 ? string.Empty : ", ")}{Impairment}{(Sides.Length == 0 ? string.Empty : ", ")}{Sides}");

    // Not how many handshakes there were of each kind, and how many of them resumed a session: that differs from launch to launch. Nor
    // OpenSSL's version: whoever compares two of them has to see a ratio.
    private static IEnumerable<string> StreamOf(RunResult result) =>
    [
        .. result.Framing is { } framing ? (string[])[$"framing {framing}"] : [],
        .. result.ClientLibrary is { } clients && clients != result.Library ? (string[])[$"clients of {clients}"] : [],
        .. result.Tls is { } tls ? TlsOf(tls) : [],
    ];

    private static IEnumerable<string> TlsOf(TlsResult tls) =>
    [
        .. tls.Key is { } key ? (string[])[$"key {key}"] : [],
        .. tls.Mutual ? (string[])["mutual TLS"] : [],
        .. tls.Clients.Select(agreed => $"TLS {agreed.Version} {agreed.Cipher}{(agreed.Group is { } group ? $" {group}" : string.Empty)}").Distinct().Order(StringComparer.Ordinal),
    ];

    // Results of versions that did not tell count as what these versions did: one server thread, nothing chosen, nothing bound. The
    // number of the clients' threads they did not tell either, and it follows from the machine unless it is chosen, so it is left out.
    private static IEnumerable<string> SidesOf(RunResult result) =>
    [
        .. result.Settings.Select(setting => $"{setting.Key}={setting.Value}"),
        .. result.ServerThreads is > 1 ? (string[])[string.Create(CultureInfo.InvariantCulture, $"{result.ServerThreads} server threads")] : [],
        .. result.Pinning?.Server is { } server ? (string[])[$"server on {CoreList.Text(server.Asked)}"] : [],
        .. result.Pinning?.Clients is { } clients ? (string[])[$"clients on {CoreList.Text(clients.Asked)}"] : [],
    ];
}

/// <summary>The figure of one launch.</summary>
/// <param name="MessagesPerSecond">Round trips per second.</param>
/// <param name="Control">Those of the raw sockets just before it; null where they were not measured.</param>
internal sealed record ComparableLaunch(double MessagesPerSecond, double? Control);
