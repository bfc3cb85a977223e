using System.Globalization;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Formats numbers as text in the invariant culture.</summary>
internal static class Format
{
    public const double BytesPerMegabyte = 1024 * 1024;

    public static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    /// <summary>Returns the names of errors with their counts in parentheses; empty if there are none.</summary>
    public static string Names(IReadOnlyDictionary<string, long> errors) => errors.Count == 0
        ? string.Empty
        : $" ({string.Join(", ", errors.Select(error => Invariant($"{error.Key}: {error.Value:N0}")))})";

    /// <summary>Returns the confidence interval of a figure.</summary>
    public static string Interval(double? lower, double? upper, string format) => lower is { } from && upper is { } to
        ? $"{from.ToString(format, CultureInfo.InvariantCulture)} – {to.ToString(format, CultureInfo.InvariantCulture)}"
        : "-";

    /// <summary>Returns the confidence of an interval by which it is decided whether a ratio differs from 1.</summary>
    public static string Confidence(RatioInterval interval) => Invariant($"{100 * interval.Confidence:0.###} %");

    /// <summary>Returns a figure, or a dash if it was not measured.</summary>
    public static string Figure(double? figure, string format = "N0", string unit = "") =>
        figure is { } value ? value.ToString(format, CultureInfo.InvariantCulture) + unit : "-";

    /// <summary>Returns the cost of a process in two lines; none if there was no such process.</summary>
    public static IEnumerable<string> Cost(string name, ProcessCost? cost)
    {
        if (cost is null)
        {
            yield break;
        }

        yield return Invariant($"{name}: {Processor(cost)}");
        string bytes = cost.AllocatedBytesPerMessage is { } each
            ? Invariant($"{each:N2} bytes allocated a message")
            : Invariant($"{cost.AllocatedBytes:N0} bytes allocated");
        string allocated = $"{bytes}, {string.Join('/', cost.Collections)} collections";
        yield return Invariant(
            $"{name}: {allocated}, {cost.PauseSeconds * 1000:N1} ms paused, {cost.PeakThreads} threads{Memory(cost)}{Switches(cost)}{Contentions(cost)}");
    }

    // Without messages there is the time of the whole process.
    private static string Processor(ProcessCost cost) => cost.CpuMicrosecondsPerMessage is { } each
        ? Invariant($"{each:N3} µs CPU a message ({PerMessage(cost, cost.UserCpuSeconds):N3} user, {PerMessage(cost, cost.SystemCpuSeconds):N3} system), ") +
            Invariant($"{cost.MessagesPerCpuSecond:N0} messages per CPU second")
        : Invariant($"{cost.CpuSeconds:N3} s CPU ({cost.UserCpuSeconds:N3} user, {cost.SystemCpuSeconds:N3} system), no messages counted");

    private static double PerMessage(ProcessCost cost, double seconds) => seconds * 1e6 / cost.Messages;

    private static string Memory(ProcessCost cost) => cost.PeakResidentBytes is { } bytes
        ? Invariant($", {bytes / BytesPerMegabyte:N0} MB resident")
        : string.Empty;

    private static string Contentions(ProcessCost cost) => cost.LockContentions is > 0 and var contentions
        ? Invariant($", {contentions:N0} lock contentions")
        : string.Empty;

    private static string Switches(ProcessCost cost) => cost.VoluntaryContextSwitches is { } voluntary && cost.InvoluntaryContextSwitches is { } involuntary
        ? Invariant($", {voluntary:N0} + {involuntary:N0} context switches (voluntary + involuntary)")
        : string.Empty;
}
