using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Comparing;

/// <summary>The properties that must be the same for two launches to be comparable.</summary>
/// <param name="Benchmark">The benchmark, or the test of a single run.</param>
/// <param name="Library">The library, with its profile.</param>
/// <param name="Load">The load that is requested of the library, in the words of the options.</param>
internal sealed record CaseKey(string Benchmark, string Library, string Test, string Load)
{
    private const int DigitsOfPayload = 8;

    /// <summary>The name for display; one name may stand for several loads.</summary>
    public string Name => $"{Benchmark}, {Library}";

    /// <summary>Returns the benchmark for display, with the load if its name alone stands for several.</summary>
    public string Title(bool isOneLoad) => isOneLoad ? Benchmark : $"{Benchmark} ({Load})";

    /// <param name="options">The options, of which those with a <see cref="PlanOption.Key"/> are in the key.</param>
    public static CaseKey Of(string benchmark, RunResult result, IReadOnlyList<PlanOption> options)
    {
        string Words(string separator, params OptionGroup[] groups) => string.Join(
            separator,
            from option in options
            where option.Key is not null && groups.Contains(option.Group)
            from text in TextsOf(option, result.Plan)
            select option.Key!(text));

        string[] parts =
        [
            Words(", ", OptionGroup.Load),

            // The same file may have another path, and a file of the same name other messages.
            result.Plan.Payload is { } payload ? $"payload {payload.Sha256[..DigitsOfPayload]}" : string.Empty,
            Words(", ", OptionGroup.Streams),
            string.Join(", ", Negotiated(result.Tls)),
            Words(" ", OptionGroup.Impairment),
            Words(" ", OptionGroup.Library, OptionGroup.Processes, OptionGroup.Hosts),
        ];
        return new CaseKey(benchmark, result.Name, result.Plan.Test, $"{result.Protocol} {string.Join(", ", parts.Where(part => part.Length > 0))}");
    }

    // Only the common options are named with their default. The server's own library is the default of the clients' one.
    private static IEnumerable<string> TextsOf(PlanOption option, RunPlan plan)
    {
        string[] arguments = [.. option.ArgumentsOf(plan)];
        return from index in Enumerable.Range(0, arguments.Length)
               where arguments[index] == option.Name
               let text = option.Kind == OptionKind.Flag ? string.Empty : arguments[index + 1]
               where (option.IsCommon || text != option.Default) && !(option.Name == StreamOptions.ClientLibraryName && text == plan.Library)
               select text;
    }

    // The number of handshakes of each kind, and the number of them that resumed a session, are not part of this: they differ from launch to
    // launch. OpenSSL's version is not part of it either: a comparison of two versions has to show a ratio.
    private static IEnumerable<string> Negotiated(TlsResult? tls) => (tls?.Clients ?? [])
        .Select(agreed => $"TLS {agreed.Version} {agreed.Cipher}{(agreed.Group is { } group ? $" {group}" : string.Empty)}")
        .Distinct()
        .Order(StringComparer.Ordinal)
        .Prepend($"key {tls?.Key}")
        .Where(_ => tls is not null);
}

/// <param name="MessagesPerSecond">Round trips per second.</param>
/// <param name="Control">Round trips per second of the raw sockets just before the launch; null if they were not measured.</param>
internal sealed record ComparableLaunch(double MessagesPerSecond, double? Control)
{
    public bool HasControl => Control > 0;

    /// <summary>Returns the rate, or its ratio to the control.</summary>
    public double Rate(bool inRelation) => MessagesPerSecond / (inRelation ? Control!.Value : 1);
}

/// <param name="Baseline">The library of the baseline.</param>
internal sealed record ComparableRatio(string Baseline, SetRatio Rate);
