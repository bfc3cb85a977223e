using System.Globalization;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Comparing;

/// <summary>The properties that must be the same for two launches to be comparable.</summary>
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

    /// <summary>The name for display; one name may stand for several loads.</summary>
    public string Name => $"{Benchmark}, {Library}";

    /// <summary>The load that is requested of the library.</summary>
    public string Load => string.Create(
        CultureInfo.InvariantCulture,
        $"{Protocol} {Transmission}, {Clients} clients, {Sending}, {MessageSize} bytes{Following(Stream)}{Following(Impairment)}{Following(Sides)}");

    private string Sending => Rate is null ? $"{ParallelMessages} messages" : $"{Rate} msg/s";

    private static string Following(string part) => part.Length == 0 ? string.Empty : $", {part}";

    // The number of handshakes of each kind, and the number of them that resumed a session, are not part of this: they differ from launch to
    // launch. OpenSSL's version is not part of it either: a comparison of two versions has to show a ratio.
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
        .. tls.Clients.Select(agreed => $"TLS {agreed.Version} {agreed.Cipher}{(agreed.Group is { } group ? $" {group}" : string.Empty)}")
            .Distinct()
            .Order(StringComparer.Ordinal),
    ];

    // Results of versions that did not report these values count with the behaviour of those versions: one server thread, no choices, no
    // binding. They did not report the number of the clients' threads either. It follows from the machine unless it is chosen, so it is left out.
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
/// <param name="Control">Round trips per second of the raw sockets just before the launch; null if they were not measured.</param>
internal sealed record ComparableLaunch(double MessagesPerSecond, double? Control);
