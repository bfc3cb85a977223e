using System.Text.RegularExpressions;
using static NetCoreNetworkBenchmark.Options.OptionValues;

namespace NetCoreNetworkBenchmark.Options;

/// <summary>Converts the texts of the runner's own options, as <see cref="OptionValues"/> does for those of any option.</summary>
internal static partial class PlanValues
{
    private static readonly (string Unit, double Fraction)[] s_percent = [("%", 0.01)];
    private static readonly (string Unit, double Bytes)[] s_bytes = [("B", 1), (string.Empty, 1)];
    private static readonly (string Unit, double BitsPerSecond)[] s_rates = [("kbit", 1e3), ("mbit", 1e6), ("gbit", 1e9)];

    /// <summary>Refuses a text that is also one number, grouped or with a decimal comma: 4,095 would be the values 4 and 95.</summary>
    public static string[] List(string option, string text)
    {
        string[] values = text.Split(',', StringSplitOptions.TrimEntries);
        if (OneNumber().Match(text) is not { Success: true } match)
        {
            return values;
        }

        string unit = match.Groups["unit"].Value;
        string number = text.Replace(",", match.Groups["grouped"].Success ? string.Empty : ".", StringComparison.Ordinal);
        string list = string.Join(", ", values.SkipLast(1).Select(value => value + unit).Append(values[^1]));
        throw Rejected(option, $"\"{text}\" is one number or {values.Length} values. Use {number} for the number, or \"{list}\" with spaces for the values.");
    }

    public static string ListText(IEnumerable<string> values)
    {
        string text = string.Join(',', values);
        return OneNumber().IsMatch(text) ? text.Replace(",", ", ", StringComparison.Ordinal) : text;
    }

    public static TimeSpan Seconds(string option, string text, double min, double max) =>
        (Decimal(text, min, max) is { } seconds ? TimeSpan.FromSeconds(seconds) : Time(text, TimeSpan.FromSeconds(max))) is { } time
        && time >= TimeSpan.FromSeconds(min)
            ? time
            : throw Invalid(option, text, Invariant($"a time from {min:0.###} to {max:#,0.###} s, such as 10, 0.5s or 2m"));

    public static double Rate(string option, string text) => Decimal(text, PlanLimits.MinRate, PlanLimits.MaxRate)
        ?? throw Invalid(option, text, Invariant($"a number of messages per second from {PlanLimits.MinRate:0.#} to {PlanLimits.MaxRate:N0}"));

    public static RunLimit Limit(string option, string text)
    {
        return text.Split('=', 2) switch
        {
            ["loss", var bound] => new RunLimit(LimitKind.Loss, (double)(decimal)Fraction(option, bound), null, text),
            ["ticks.late", var bound] => new RunLimit(LimitKind.LateTicks, (double)(decimal)Fraction(option, bound), null, text),
            ["server-cpu", var bound] when Quantity(bound, s_percent) is <= PlanLimits.MaxCores and var cores =>
                new RunLimit(LimitKind.ServerCores, (double)(decimal)cores, null, text),
            ["wire", var bound] when Quantity(bound, s_bytes) is > 0 and var bytes => new RunLimit(LimitKind.Wire, bytes, null, text),
            ["server-cpu", var bound] => new RunLimit(LimitKind.ServerCpu, Duration(option, bound).TotalMicroseconds, null, text),
            [var figure, var bound] when PercentileOf(figure) is { } percentile => Latency(LimitKind.Latency, percentile, bound),
            [['a', 'g', 'e', '.', .. var figure], var bound] when PercentileOf(figure) is { } percentile => Latency(LimitKind.Age, percentile, bound),
            _ => throw Invalid(
                option, text, "a figure and its bound: pN=TIME, max=TIME, loss=PERCENTAGE, server-cpu=TIME or PERCENTAGE, wire=BYTES, " +
                    "age.pN=TIME or ticks.late=PERCENTAGE, such as p99=5ms"),
        };

        RunLimit Latency(LimitKind kind, double percentile, string bound) =>
            new(kind, Duration(option, bound).TotalMicroseconds, percentile, text);

        static double? PercentileOf(string figure) => figure switch
        {
            "max" => 100,
            ['p', .. var number] when Decimal(number, 0, 100) is > 0 and var percentile => percentile,
            _ => null,
        };
    }

    /// <summary>Reads one rate, or FIRST..LAST/TIME, which lasts for ten steps unless a duration is given.</summary>
    public static RunPlan WithRate(RunPlan plan, string option, string text)
    {
        if (!text.Contains("..", StringComparison.Ordinal))
        {
            return plan with { Rate = Rate(option, text) };
        }

        const int Steps = 10;
        (double first, double last, TimeSpan length) = text.Split("..", 2) is [var from, var rest] && rest.Split('/') is [var to, var time]
            ? (Rate(option, from), Rate(option, to), Time(time) ?? TimeSpan.Zero)
            : default;
        return length < PlanLimits.MinRateStep || last <= first
            ? throw Invalid(option, text, "a rate, a higher one and the time of a step from 100ms to 60m, such as 1000..20000/10s")
            : first * length.TotalSeconds < PlanLimits.MinMessagesOfStep
                ? throw Rejected(option, Invariant($"{first * length.TotalSeconds:0.#} messages in the first step of {text} have no 99th percentile. ") +
                    Invariant($"Use a longer step or a higher rate, for at least {PlanLimits.MinMessagesOfStep}."))
                : plan with { Rate = first, LastRate = last, Iterations = Steps, Duration = Steps * length };
    }

    /// <summary>The product of decimal numbers is exact, where that of binary ones would be 0.30000000000000004.</summary>
    public static RunPlan WithRatePerClient(RunPlan plan, string option, string text)
    {
        double rate = (double)((decimal)Rate(option, text) * plan.Clients);
        return rate <= PlanLimits.MaxRate
            ? plan with { Rate = rate }
            : throw Rejected(
                option, Invariant($"{rate:N0} messages per second of all clients are too many. Use at most {PlanLimits.MaxRate / plan.Clients:N0}."));
    }

    public static string? RatePerClientText(RunPlan plan) =>
        plan is { Rate: { } rate, LastRate: null } ? ((decimal)rate / plan.Clients).ToString("0.##########", CultureInfo.InvariantCulture) : null;

    public static RunPlan WithDuration(RunPlan plan, string option, TimeSpan duration)
    {
        if (plan.LastRate is null)
        {
            return plan with { Duration = duration };
        }

        TimeSpan length = plan.Duration / plan.Iterations;
        double steps = duration / length;
        return steps is >= 2 and <= PlanLimits.MaxRateSteps && double.IsInteger(steps)
            ? plan with { Duration = duration, Iterations = (int)steps }
            : throw Rejected(option, Invariant($"{duration.TotalSeconds} s are not 2 to {PlanLimits.MaxRateSteps} whole steps of {length.TotalSeconds} s. ") +
                Invariant($"Use a multiple of {length.TotalSeconds} s, or omit it for ten steps."));
    }

    public static string? RateText(RunPlan plan) => plan.LastRate is not { } last ? plan.Rate?.ToString(CultureInfo.InvariantCulture)
        : Invariant($"{plan.Rate}..{last}/{(plan.Duration / plan.Iterations).TotalSeconds}s");

    public static TimeSpan HeartbeatInterval(string option, string text) => Time(text) is { } time && time >= PlanLimits.MinHeartbeat
        ? time
        : throw Invalid(option, text, "a time from 200ms to 60m with its unit (ms, s or m), such as 5s");

    /// <summary>Returns a fraction from 0 to 1.</summary>
    public static double Fraction(string option, string text) => (text == "0" ? 0 : Quantity(text, s_percent)) is >= 0 and <= 1 and var fraction
        ? fraction
        : throw Invalid(option, text, "a percentage from 0% to 100%, such as 1% or 0.5%");

    /// <summary>The result of a binary multiplication would be 7.000000000000001 for 0.07.</summary>
    public static string Percent(double fraction) => ((decimal)fraction * 100).ToString("0.##########################", CultureInfo.InvariantCulture);

    public static Interruption Interruption(string option, string text) =>
        text.Split('/') is [var length, var period] && Time(length) is { } l && Time(period) is { } p && l > TimeSpan.Zero && l < p
            ? new Interruption(l, p)
            : throw Invalid(option, text, "a length above 0 and a longer period with their units, such as 100ms/1s");

    public static long Bandwidth(string option, string text) => Quantity(text, s_rates) is >= 1e3 and <= 1e12 and var rate
        ? (long)Math.Round(rate)
        : throw Invalid(option, text, "a bandwidth from 1kbit to 1000gbit with its unit (kbit, mbit or gbit), such as 10mbit");

    /// <summary>Without the brackets of a URL (RFC 3986); IPv4 in IPv6 notation (RFC 4291, 2.5.5.2) as IPv4; with the interface after % (RFC 4007).</summary>
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

    private static double? Decimal(string text, double min, double max) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint | NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out double number)
        && number >= min && number <= max ? number : null;

    [GeneratedRegex(@"^(?:(?<grouped>[1-9]\d{0,2}(?:,\d{3})+)|\d+,\d+(?=\D))(?<unit>[\p{L}%]*)\z", RegexOptions.CultureInvariant)]
    private static partial Regex OneNumber();
}
