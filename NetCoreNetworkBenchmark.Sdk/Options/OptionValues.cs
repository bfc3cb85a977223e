namespace NetCoreNetworkBenchmark.Options;

/// <summary>Converts the text of an option to its value, or reports in one sentence what the text is not.</summary>
public static class OptionValues
{
    private static readonly TimeSpan s_longest = TimeSpan.FromHours(1);
    private static readonly (string Unit, double Ticks)[] s_times =
        [("ns", 0.01), ("us", 10), ("\u00b5s", 10), ("\u03bcs", 10), ("ms", 10_000), ("s", 10_000_000), ("m", 600_000_000)];
    private static readonly (string Unit, double Share)[] s_shares = [("%", 0.01)];
    private static readonly (string Unit, double BitsPerSecond)[] s_rates = [("kbit", 1e3), ("mbit", 1e6), ("gbit", 1e9)];

    /// <summary>Reads a whole number within bounds.</summary>
    public static int WholeNumber(string option, string text, int least, int most) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number) && number >= least && number <= most
            ? number
            : throw Invalid(option, text, Invariant($"a whole number from {least:N0} to {most:N0}"));

    /// <summary>Reads a number of seconds within bounds.</summary>
    public static TimeSpan Seconds(string option, string text, double least, double most) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint | NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out double seconds)
        && seconds >= least && seconds <= most
            ? TimeSpan.FromSeconds(seconds)
            : throw Invalid(option, text, Invariant($"a number of seconds from {least:#,0.###} to {most:#,0.###}, such as 10 or 0.5"));

    /// <summary>Reads a number within bounds.</summary>
    public static double Number(string option, string text, string what, double least, double most) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint | NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out double number)
        && number >= least && number <= most
            ? number
            : throw Invalid(option, text, Invariant($"a number of {what} from {least:#,0.######} to {most:#,0.######}"));

    /// <summary>Reads a percentile and its bound, such as p99.9=5ms.</summary>
    public static LatencyLimit Limit(string option, string text)
    {
        string[] parts = text.Split('=', 2);
        return parts.Length == 2
            && parts[0].StartsWith('p')
            && double.TryParse(parts[0].AsSpan(1), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double percentile)
            && percentile is > 0 and <= 100
                ? new LatencyLimit(percentile, Duration(option, parts[1]), text)
                : throw Invalid(option, text, "a percentile and its bound, such as p99=5ms or p99.9=500us");
    }

    /// <summary>Reads a time with its unit. It is rounded to 100 ns.</summary>
    public static TimeSpan Duration(string option, string text) =>
        Time(text) ?? throw Invalid(option, text, "a time from 0 to 60m with its unit (ns, us, ms, s or m), such as 5ms");

    /// <summary>Reads a time above 0 with its unit.</summary>
    public static TimeSpan AboveZero(string option, string text) =>
        Time(text) is { } time && time > TimeSpan.Zero ? time : throw Invalid(option, text, "a time above 0 up to 60m with its unit (ms, s or m), such as 1s");

    /// <summary>Reads the interval of heartbeats with its unit.</summary>
    public static TimeSpan HeartbeatInterval(string option, string text) =>
        Time(text) is { } time && time >= LivenessPlan.LeastHeartbeat
            ? time
            : throw Invalid(option, text, "a time from 200ms to 60m with its unit (ms, s or m), such as 5s");

    /// <summary>Reads a percentage, and returns it as a share from 0 to 1.</summary>
    public static double Share(string option, string text) =>
        Quantity(text, s_shares) is >= 0 and <= 1 and var share
            ? share
            : throw Invalid(option, text, "a percentage from 0% to 100%, such as 1% or 0.5%");

    /// <summary>Writes a share from 0 to 1 in percent, without the sign. The result of a binary multiplication would be 7.000000000000001 for 0.07.</summary>
    public static string Percent(double share) => ((decimal)share * 100).ToString("0.##########################", CultureInfo.InvariantCulture);

    /// <summary>Reads a length and a period, both times with their units.</summary>
    public static Interruption Interruption(string option, string text) =>
        text.Split('/') is [var length, var period] && Time(length) is { } l && Time(period) is { } p && l > TimeSpan.Zero && l < p
            ? new Interruption(l, p)
            : throw Invalid(option, text, "a length above 0 and a longer period with their units, such as 100ms/1s");

    /// <summary>Reads a bandwidth, and returns it in bits per second.</summary>
    public static long Bandwidth(string option, string text) =>
        Quantity(text, s_rates) is >= 1e3 and <= 1e12 and var rate
            ? (long)Math.Round(rate)
            : throw Invalid(option, text, "a bandwidth from 1kbit to 1000gbit with its unit (kbit, mbit or gbit), such as 10mbit");

    /// <summary>
    /// Reads an IP address and returns it in its usual form, or a host name unchanged. The brackets of an IPv6 address in a URL (RFC 3986) are removed.
    /// An IPv4 address in IPv6 notation (RFC 4291, 2.5.5.2) is returned as an IPv4 address. The name of an interface after a percent sign (RFC 4007) is kept.
    /// </summary>
    public static string Host(string option, string text)
    {
        string bare = text is ['[', .. var inside, ']'] ? inside : text;

        // .NET would ignore a port after the brackets.
        return bare.AsSpan().IndexOfAny('[', ']') >= 0
            ? throw Invalid(option, text, "a host name or an IP address without a port, such as 127.0.0.1 or ::1")
            : !IPAddress.TryParse(bare, out IPAddress? address) ? text
            : address.IsIPv4MappedToIPv6 ? address.MapToIPv4().ToString()
            : bare.IndexOf('%', StringComparison.Ordinal) is >= 0 and var zone ? $"{new IPAddress(address.GetAddressBytes())}{bare[zone..]}"
            : address.ToString();
    }

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

    private static TimeSpan? Time(string text) =>
        (text == "0" ? 0 : Quantity(text, s_times)) is { } ticks && ticks <= s_longest.Ticks ? TimeSpan.FromTicks((long)Math.Round(ticks)) : null;

    // A unit that ends like another one ("ms" like "s") leaves no valid number before the shorter one, so that the other unit is tried.
    private static double? Quantity(string text, (string Unit, double Factor)[] units)
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

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
