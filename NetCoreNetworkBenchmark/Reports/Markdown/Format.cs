using System.Globalization;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>Numbers as text, in the invariant culture.</summary>
internal static class Format
{
    public const double BytesPerMegabyte = 1024 * 1024;

    public static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    /// <summary>The names of errors with their counts in brackets; nothing where there was none.</summary>
    public static string Names(IReadOnlyDictionary<string, long> errors) => errors.Count == 0
        ? string.Empty
        : $" ({string.Join(", ", errors.Select(error => Invariant($"{error.Key}: {error.Value:N0}")))})";

    /// <summary>The confidence interval of a figure.</summary>
    public static string Interval(double? lower, double? upper, string format) => lower is { } from && upper is { } to
        ? $"{from.ToString(format, CultureInfo.InvariantCulture)} – {to.ToString(format, CultureInfo.InvariantCulture)}"
        : "-";

    public static string Median(Spread? spread, string format, string unit = "") =>
        spread is null ? "-" : spread.Median.ToString(format, CultureInfo.InvariantCulture) + unit;

    /// <summary>What a process cost, in two lines.</summary>
    public static IEnumerable<string> Cost(string name, ProcessCost cost)
    {
        yield return Invariant($"{name}: {cost.CpuMicrosecondsPerMessage:N3} µs CPU a message ({PerMessage(cost, cost.UserCpuSeconds):N3} user, {PerMessage(cost, cost.SystemCpuSeconds):N3} system), {cost.MessagesPerCpuSecond:N0} messages per CPU second");
        yield return Invariant($"{name}: {cost.AllocatedBytesPerMessage:N2} bytes allocated a message, {string.Join('/', cost.Collections)} collections, {cost.PauseSeconds * 1000:N1} ms paused, {cost.PeakThreads} threads{Memory(cost)}{Switches(cost)}");
    }

    private static double PerMessage(ProcessCost cost, double seconds) => cost.Messages == 0 ? 0 : seconds * 1e6 / cost.Messages;

    private static string Memory(ProcessCost cost) => cost.PeakResidentBytes is { } bytes ? Invariant($", {bytes / BytesPerMegabyte:N0} MB resident") : string.Empty;

    private static string Switches(ProcessCost cost) => cost.VoluntaryContextSwitches is { } voluntary && cost.InvoluntaryContextSwitches is { } involuntary
        ? Invariant($", {voluntary:N0} + {involuntary:N0} context switches (voluntary + involuntary)")
        : string.Empty;
}
