namespace NetCoreNetworkBenchmark.Plans;

/// <summary>Numbers with their nouns, in the invariant culture: "1 byte", "1,000 bytes".</summary>
public static class Plural
{
    /// <summary>Formats one number. It is one if its text is. The noun may have a verb after it. Without a plural, it is the noun with an s.</summary>
    public static string Format(double count, string noun, string? plural = null, string format = "N0") =>
        Format(count.ToString(format, CultureInfo.InvariantCulture), noun, plural);

    /// <summary>Formats numbers, which may be several, such as "32..512".</summary>
    public static string Format(string numbers, string noun, string? plural = null) => $"{numbers} {(numbers == "1" ? noun : plural ?? $"{noun}s")}";
}
