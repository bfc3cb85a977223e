using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Figures as short text.</summary>
internal static class Units
{
    private const double MicrosecondsPerMillisecond = 1000;
    private const double MicrosecondsPerSecond = 1_000_000;

    /// <summary>Returns a time in the unit that needs few digits, or a dash if it was not measured.</summary>
    public static string Time(double? microseconds) => microseconds switch
    {
        null => "-",
        < MicrosecondsPerMillisecond and var small => $"{Digits(small)} µs",
        < MicrosecondsPerSecond and var middle => $"{Digits(middle / MicrosecondsPerMillisecond)} ms",
        { } large => $"{Digits(large / MicrosecondsPerSecond)} s",
    };

    // Three significant digits, and all those before the point.
    private static string Digits(double value) => Figure(value, value switch
    {
        < 10 => "0.00",
        < 100 => "0.0",
        _ => "N0",
    });
}
