using System.Globalization;
using NetCoreNetworkBenchmark.Options;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Comparing;

/// <summary>The properties that must be the same for two launches to be comparable.</summary>
/// <param name="Benchmark">The benchmark, or the test of a single run.</param>
/// <param name="Library">The library, with its profile.</param>
/// <param name="Test">The test.</param>
/// <param name="Load">The load that is requested of the library, in the words of the options.</param>
internal sealed record CaseKey(string Benchmark, string Library, string Test, string Load)
{
    /// <summary>The name for display; one name may stand for several loads.</summary>
    public string Name => $"{Benchmark}, {Library}";

    /// <summary>Returns the benchmark for display, with the load if its name alone stands for several.</summary>
    public string Title(bool isOneLoad) => isOneLoad ? Benchmark : $"{Benchmark} ({Load})";

    /// <summary>Gets the key of a result.</summary>
    /// <param name="benchmark">The benchmark.</param>
    /// <param name="result">The result.</param>
    /// <param name="options">The options, of which those with a <see cref="PlanOption.Key"/> are in the key.</param>
    public static CaseKey Of(string benchmark, RunResult result, IReadOnlyList<PlanOption> options)
    {
        Dictionary<string, IEnumerable<string?>> reported = Reported(result);
        string[] arguments = Split(result.Command);
        string Words(string separator, params OptionGroup[] groups) => string.Join(
            separator,
            from option in options
            where option.Key is not null && groups.Contains(option.Group)
            from text in reported.GetValueOrDefault(option.Name) ?? TextsIn(arguments, option)
            where text is not null
            select option.Key!(text));

        string[] parts =
        [
            Words(", ", OptionGroup.Load),
            Words(", ", OptionGroup.Streams),
            string.Join(", ", Negotiated(result.Tls)),
            Words(" ", OptionGroup.Impairment),
            Words(" ", OptionGroup.Library, OptionGroup.Processes, OptionGroup.Hosts),
        ];
        return new CaseKey(benchmark, result.Name, result.Test, $"{result.Protocol} {string.Join(", ", parts.Where(part => part.Length > 0))}");
    }

    // What a result itself reports is certain, and older results reported it before their command contained it. Such a result counts with the behaviour
    // of its version: one server thread, no choices, no binding. Any other option is taken from the command. The number of the clients' threads follows
    // from the machine unless it is chosen, so it is left out.
    private static Dictionary<string, IEnumerable<string?>> Reported(RunResult result) => new(ImpairmentOptions.All.Select(
        option => KeyValuePair.Create(option.Name, (IEnumerable<string?>)[result.Impairment?.Asked.GetValueOrDefault(option.Name)])))
    {
        ["--transmission"] = [result.Transmission],
        [LoadOptions.ClientCount] = [Number(result.Clients)],
        [LoadOptions.ParallelMessages] = [result.Schedule is null ? Number(result.ParallelMessages) : null],
        ["--rate"] = [Number(result.Schedule?.AskedPerSecond)],
        ["--size"] = [Number(result.MessageSize)],
        ["--framing"] = [result.Framing],
        [StreamOptions.ClientLibraryName] = [result.ClientLibrary == result.Library ? null : result.ClientLibrary],
        [StreamOptions.KeyName] = [result.Tls?.Key],
        ["--mutual-tls"] = [result.Tls is { Mutual: true } ? string.Empty : null],
        [LibraryOptions.SetName] = result.Settings.Select(setting => $"{result.Library}.{setting.Key}={setting.Value}"),
        ["--server-threads"] = [result.ServerThreads is > 1 ? Number(result.ServerThreads) : null],
        [ProcessOptions.PinName] = [result.Pinning is { } pinning ? Cores(pinning) : null],
    };

    // A default is left out, because the commands of older results do not contain the option.
    private static IEnumerable<string?> TextsIn(string[] arguments, PlanOption option) =>
        from index in Enumerable.Range(0, arguments.Length)
        where arguments[index] == option.Name
        let text = option.Kind == OptionKind.Flag ? string.Empty : arguments.ElementAtOrDefault(index + 1)
        where text != option.Default
        select text;

    // A value with blanks is in quotation marks.
    private static string[] Split(string command) =>
        [.. command.Split('"').SelectMany((part, index) => index % 2 == 1 ? [part] : part.Split(' ', StringSplitOptions.RemoveEmptyEntries))];

    // The number of handshakes of each kind, and the number of them that resumed a session, are not part of this: they differ from launch to
    // launch. OpenSSL's version is not part of it either: a comparison of two versions has to show a ratio.
    private static IEnumerable<string> Negotiated(TlsResult? tls) => (tls?.Clients ?? [])
        .Select(agreed => $"TLS {agreed.Version} {agreed.Cipher}{(agreed.Group is { } group ? $" {group}" : string.Empty)}")
        .Distinct()
        .Order(StringComparer.Ordinal);

    private static string Cores(PinningResult pinning) =>
        CoreList.Text(new PinningPlan { ServerCores = pinning.Server?.Asked, ClientCores = pinning.Clients?.Asked });

    private static string? Number<T>(T value) => value is null ? null : Convert.ToString(value, CultureInfo.InvariantCulture);
}

/// <summary>The figure of one launch.</summary>
/// <param name="MessagesPerSecond">Round trips per second.</param>
/// <param name="Control">Round trips per second of the raw sockets just before the launch; null if they were not measured.</param>
internal sealed record ComparableLaunch(double MessagesPerSecond, double? Control)
{
    /// <summary>Whether the rate can be taken in relation to the control.</summary>
    public bool HasControl => Control > 0;

    /// <summary>Returns the rate, or its ratio to the control.</summary>
    public double Rate(bool inRelation) => MessagesPerSecond / (inRelation ? Control!.Value : 1);
}

/// <summary>The ratio of a case to the floor of its benchmark.</summary>
/// <param name="Floor">The name of the floor.</param>
/// <param name="IsFloor">Whether the case is the floor.</param>
/// <param name="Ratio">The ratio.</param>
internal sealed record ComparableRatio(string Floor, bool IsFloor, BaselineRatio Ratio)
{
    /// <summary>The ratio with its standard error.</summary>
    public SetRatio Rate => new(Ratio.Rate.Ratio, Ratio.Rate.Lower, Ratio.Rate.Upper, Ratio.StandardError, Ratio.DegreesOfFreedom);
}
