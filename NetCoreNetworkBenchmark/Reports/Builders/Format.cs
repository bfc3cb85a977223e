namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>Numbers as text in the invariant culture.</summary>
internal static class Format
{
    public const double BytesPerMebibyte = 1024 * 1024;
    public const double NanosecondsPerMicrosecond = 1e3;
    public const double MicrosecondsPerMillisecond = 1e3;
    public const double MicrosecondsPerSecond = 1e6;
    public const string ThreeDecimals = "0.000";
    public const string NotKnownYet = "cannot be told yet";

    public static string Figure(double? figure, string format = "N0", string unit = "") =>
        figure is { } value ? value.ToString(format, CultureInfo.InvariantCulture) + unit : "-";

    public static string? Known(double? figure, string format = "N0", string unit = "") => figure is null ? null : Figure(figure, format, unit);

    public static string Interval(double? lower, double? upper, string format) =>
        lower is null || upper is null ? "-" : $"{Figure(lower, format)} – {Figure(upper, format)}";

    public static string Interval(RatioInterval? interval) =>
        interval is { IsOpen: true } ? NotKnownYet : Interval(interval?.Lower, interval?.Upper, ThreeDecimals);

    /// <summary>In per cent, rounded down, so that it holds.</summary>
    public static string Confidence(RatioInterval interval) => Invariant($"{Math.Floor((1000 * interval.Confidence) + 1e-6) / 10:0.#} %");

    public static string SizeOf(RunPlan plan) => plan.SmallestMessage is { } smallest
        ? Invariant($"{smallest:N0} to {plan.MessageSize:N0} bytes")
        : Plural.Format(plan.MessageSize, "byte");

    public static string Names(IReadOnlyDictionary<string, long> errors) => errors.Count == 0
        ? string.Empty
        : $" ({string.Join(", ", errors.Select(error => Invariant($"{error.Key}: {error.Value:N0}")))})";

    public static string Pairs(IReadOnlyDictionary<string, string> values, string between = "=") =>
        string.Join(' ', values.Select(value => value.Value.Length == 0 ? value.Key : $"{value.Key}{between}{value.Value}"));

    public static string Time(double? microseconds) => microseconds is { } time ? Scaled(time, value => Figure(value, value switch
    {
        < 10 => "0.00",
        < 100 => "0.0",
        _ => "N0",
    })) : "-";

    public static string Clock(TimeSpan time) =>
        time.TotalHours < 1 ? Invariant($@"{time:m\:ss}") : Invariant($@"{Math.Floor(time.TotalHours)}:{time:mm\:ss}");

    public static string ShortTime(double microseconds) => Scaled(microseconds, Shortest);

    public static string Milliseconds(double? microseconds, string format = "#,0.0") => Figure(microseconds / MicrosecondsPerMillisecond, format, " ms");

    public static string Number(double value) => Figure(value, "#,0.###");

    public static string Short(double value) => Math.Abs(value) switch
    {
        >= 1e9 => $"{Shortest(value / 1e9)}G",
        >= 1e6 => $"{Shortest(value / 1e6)}M",
        >= 1e3 => $"{Shortest(value / 1e3)}k",
        _ => Shortest(value),
    };

    private static string Scaled(double microseconds, Func<double, string> digits) => Math.Abs(microseconds) switch
    {
        < MicrosecondsPerMillisecond => $"{digits(microseconds)} µs",
        < MicrosecondsPerSecond => $"{digits(microseconds / MicrosecondsPerMillisecond)} ms",
        _ => $"{digits(microseconds / MicrosecondsPerSecond)} s",
    };

    private static string Shortest(double value) => Figure(value, Math.Abs(value) switch
    {
        >= 100 => "#,0",
        >= 10 => "0.#",
        >= 0.1 => "0.##",
        _ => "0.####",
    });
}

/// <param name="Fraction">Of the latencies that are not above it, from 0 to 1.</param>
internal sealed record Percentile(string Name, double Fraction, Func<LatencySummary, double> Of)
{
    public static readonly Percentile P50 = new("p50", 0.5, latency => latency.P50);
    public static readonly Percentile P90 = new("p90", 0.9, latency => latency.P90);
    public static readonly Percentile P99 = new("p99", 0.99, latency => latency.P99);
    public static readonly Percentile P999 = new("p99.9", 0.999, latency => latency.P999);

    /// <summary>Null if too few latencies were recorded.</summary>
    public double? In(LatencyReport? latency) =>
        latency is { Microseconds: { } summary, Count: var count } ? In(summary, count) : null;

    /// <param name="count">The number of latencies; 0 if it is not known.</param>
    public double? In(LatencySummary latency, long count) => count == 0 || Fraction == 1 || count >= LatencyReport.MinCount(Fraction) ? Of(latency) : null;

    public static readonly IReadOnlyList<Percentile> All =
        [P50, P90, new("p95", 0.95, latency => latency.P95), P99, P999, new("p99.99", 0.9999, latency => latency.P9999)];
}
