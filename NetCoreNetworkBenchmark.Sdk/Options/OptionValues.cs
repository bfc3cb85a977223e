namespace NetCoreNetworkBenchmark.Options;

/// <summary>Converts the text of an option to its value, or reports in one sentence what the text is not.</summary>
public static class OptionValues
{
    private static readonly (string Unit, double Ticks)[] s_times =
        [("ns", 0.01), ("us", 10), ("\u00b5s", 10), ("\u03bcs", 10), ("ms", 10_000), ("s", 10_000_000), ("m", 600_000_000)];

    /// <summary>Reads a whole number within bounds.</summary>
    public static int WholeNumber(string option, string text, int min, int max) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number) && number >= min && number <= max
            ? number
            : throw Invalid(option, text, string.Create(CultureInfo.InvariantCulture, $"a whole number from {min:N0} to {max:N0}"));

    /// <summary>Reads a time with its unit. It is rounded to 100 ns.</summary>
    public static TimeSpan Duration(string option, string text) =>
        Time(text) ?? throw Invalid(option, text, "a time from 0 to 60m with its unit (ns, us, ms, s or m), such as 5ms");

    /// <summary>Reads a time above 0 with its unit.</summary>
    public static TimeSpan AboveZero(string option, string text) =>
        Time(text) is { } time && time > TimeSpan.Zero ? time : throw Invalid(option, text, "a time above 0 up to 60m with its unit (ms, s or m), such as 1s");

    /// <summary>Reads the name of a value of an enumeration, without regard to case.</summary>
    public static T Choice<T>(string option, string text)
        where T : struct, Enum => Enum.Parse<T>(Choice(option, text, Enum.GetNames<T>()));

    /// <summary>Finds one of the valid values, without regard to case.</summary>
    public static string Choice(string option, string text, IReadOnlyCollection<string> valid) =>
        valid.FirstOrDefault(candidate => candidate.Equals(text, StringComparison.OrdinalIgnoreCase))
        ?? throw NotOneOf(option, text, string.Empty, valid);

    /// <summary>Lists values for the end of a sentence: "A", "A or B", or "A, B or C".</summary>
    public static string Or<T>(IReadOnlyCollection<T> values) =>
        values.Count < 2 ? string.Concat(values) : $"{string.Join(", ", values.SkipLast(1))} or {values.Last()}";

    /// <summary>Creates the exception for a text that cannot be converted.</summary>
    /// <param name="option">The option.</param>
    /// <param name="text">Its value.</param>
    /// <param name="expected">A noun phrase, such as "a host name or an IP address".</param>
    public static BenchmarkException Invalid(string option, string text, string expected) => Rejected(option, $"\"{text}\" is not {expected}.");

    /// <summary>Creates the exception for a text that is in no list, with the nearest entry.</summary>
    /// <param name="option">The option.</param>
    /// <param name="text">Its value.</param>
    /// <param name="list">The name of the list with a colon, such as "the values of Sockets.native:"; empty for none.</param>
    /// <param name="valid">The entries.</param>
    public static BenchmarkException NotOneOf(string option, string text, string list, IReadOnlyCollection<string> valid) =>
        Rejected(option, $"\"{text}\" is not one of {$"{list} ".TrimStart()}{string.Join(", ", valid)}.{Suggestion.Sentence(text, valid)}");

    /// <summary>Creates the exception for an option whose value does not fit.</summary>
    /// <param name="option">The option.</param>
    /// <param name="sentence">The fault and the remedy: one sentence, or two short ones.</param>
    /// <param name="cause">The cause; shown with <c>--verbose</c> only.</param>
    public static BenchmarkException Rejected(string option, string sentence, Exception? cause = null) =>
        BenchmarkException.BadInput($"{option}: {sentence}", cause);

    /// <exception cref="IOException">The path is of a pipe or a device, or of an empty file.</exception>
    internal static string RegularFile(string path) => IsRegularFile(path) ? path : throw new IOException("It is empty, or no regular file.");

    // A pipe or a device has no length, and opening or reading one may never end. A missing file is reported by who reads it.
    internal static bool IsRegularFile(string path)
    {
        if (!File.Exists(path))
        {
            return true;
        }

        var file = new FileInfo(path);
        return (FileInfo)(file.ResolveLinkTarget(returnFinalTarget: true) ?? file) is { Exists: true, Length: > 0 };
    }

    // Null if the text is not a time from 0 to the longest.
    internal static TimeSpan? Time(string text) => Time(text, PlanLimits.LongestTime);

    internal static TimeSpan? Time(string text, TimeSpan max) =>
        (text == "0" ? 0 : Quantity(text, s_times)) is { } ticks && ticks <= max.Ticks ? TimeSpan.FromTicks((long)Math.Round(ticks)) : null;

    // A unit that ends like another one ("ms" like "s") leaves no valid number before the shorter one, so that the other unit is tried.
    internal static double? Quantity(string text, (string Unit, double Factor)[] units)
    {
        foreach ((string unit, double factor) in units)
        {
            if (text.EndsWith(unit, StringComparison.OrdinalIgnoreCase)
                && double.TryParse(text[..^unit.Length], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number)
                && number >= 0)
            {
                return number * factor;
            }
        }

        return null;
    }
}
