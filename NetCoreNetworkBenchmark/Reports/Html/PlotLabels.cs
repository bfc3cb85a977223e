using System.Globalization;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>Numbers in plots, as short as they can be read.</summary>
internal static class PlotLabels
{
    private const double Thousand = 1000;

    /// <summary>Returns a number with its decimals, of which at most three.</summary>
    public static string Number(double value) => value.ToString("#,0.###", CultureInfo.InvariantCulture);

    /// <summary>Returns a number with three figures, such as 1.25M.</summary>
    public static string Short(double value) => Math.Abs(value) switch
    {
        >= Thousand * Thousand * Thousand => $"{Figures(value / (Thousand * Thousand * Thousand))}G",
        >= Thousand * Thousand => $"{Figures(value / (Thousand * Thousand))}M",
        >= Thousand => $"{Figures(value / Thousand)}k",
        _ => Figures(value),
    };

    /// <summary>Returns a time in the unit in which it is short.</summary>
    /// <param name="microseconds">The time in microseconds.</param>
    public static string Time(double microseconds) => Math.Abs(microseconds) switch
    {
        >= Thousand * Thousand => $"{Figures(microseconds / (Thousand * Thousand))} s",
        >= Thousand => $"{Figures(microseconds / Thousand)} ms",
        _ => $"{Figures(microseconds)} µs",
    };

    /// <summary>Returns a latency in the unit of the tables.</summary>
    public static string Microseconds(double microseconds) =>
        $"{microseconds.ToString(Math.Abs(microseconds) >= 100 ? "N0" : "0.###", CultureInfo.InvariantCulture)} µs";

    private static string Figures(double value) => value.ToString(FormatOf(Math.Abs(value)), CultureInfo.InvariantCulture);

    private static string FormatOf(double value) => value switch
    {
        >= 100 => "#,0",
        >= 10 => "0.#",
        >= 0.1 => "0.##",
        _ => "0.####",
    };
}
