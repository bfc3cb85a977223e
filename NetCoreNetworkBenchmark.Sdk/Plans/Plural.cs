namespace NetCoreNetworkBenchmark.Plans;

/// <summary>Numbers with their nouns, in the invariant culture: "1 byte", "1,000 bytes".</summary>
internal static class Plural
{
    /// <param name="count">The number. It is one if its text is.</param>
    /// <param name="noun">The noun in the singular, which may have a verb after it.</param>
    /// <param name="plural">The plural; null for the noun with an s.</param>
    /// <param name="format">The format of the number.</param>
    public static string Format(double count, string noun, string? plural = null, string format = "N0") =>
        Format(count.ToString(format, CultureInfo.InvariantCulture), noun, plural);

    /// <param name="numbers">A number as text, or several, such as "32..512".</param>
    /// <param name="noun">The noun in the singular.</param>
    /// <param name="plural">The plural; null for the noun with an s.</param>
    public static string Format(string numbers, string noun, string? plural = null) => $"{numbers} {(numbers == "1" ? noun : plural ?? $"{noun}s")}";
}
