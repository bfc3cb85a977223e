using System.Globalization;
using System.Net;
using System.Reflection;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Turns what was recorded into a result, and judges whether its figures may be used.</summary>
internal static class ResultBuilder
{
    private const double BytesPerMegabyte = 1024 * 1024;

    public static string HarnessVersion { get; } = Assembly.GetExecutingAssembly()
        .GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;

    public static RunResult Build(RunPlan plan, LibraryInfo library, IPEndPoint endPoint, RunRecorder recorder, Measurement measurement)
    {
        MessageCounters measured = recorder.Count(RunPhase.Measure);
        MessageCounters afterStart = recorder.Count(RunPhase.Measure, RunPhase.Drain);
        MessageCounters whole = recorder.Count(Enum.GetValues<RunPhase>());
        long unanswered = whole.ClientSent - whole.ClientReceived - whole.Lost;

        // What is still away when the drain's deadline is over is lost; only a run that was cut short cannot tell.
        long lostAtEnd = measurement.Aborted ? 0 : unanswered;
        long lost = Math.Max(0, afterStart.Lost) + lostAtEnd;
        SortedDictionary<string, long> errors = recorder.Errors();
        List<string> reasons = FindInvalidity(plan, measurement, measured, afterStart, lost, errors);
        return new RunResult
        {
            HarnessVersion = HarnessVersion,
            Library = library.Name,
            LibraryVersion = library.Version,
            Protocol = plan.Protocol.ToString(),
            Transmission = plan.Transmission.ToString(),
            Test = plan.Test,
            Address = endPoint.Address.ToString(),
            Port = endPoint.Port,
            Clients = plan.Clients,
            ParallelMessages = plan.ParallelMessages,
            MessageSize = plan.MessageSize,
            MessageLoad = plan.MessageLoad.ToString(),
            StartedAt = measurement.StartedAt,
            WarmUpSeconds = plan.WarmUp.TotalSeconds,
            DefinedDurationSeconds = plan.Duration.TotalSeconds,
            DurationSeconds = measurement.Duration.TotalSeconds,
            Messages = new MessageTotals(measured.ClientSent, measured.ServerReceived, measured.ServerSent, measured.ClientReceived),
            Lost = lost,
            Duplicated = afterStart.Duplicated,
            Reordered = afterStart.Reordered,
            Corrupted = afterStart.Corrupted,
            Errors = errors.Values.Sum(),
            ErrorsByName = errors,
            Totals = new RunTotals(whole.ClientSent, whole.ClientReceived, whole.Lost + lostAtEnd, unanswered - lostAtEnd),
            MessagesPerSecond = measured.ClientReceived / measurement.Duration.TotalSeconds,
            MegabytesPerSecond = measured.ClientReceived * plan.MessageSize / BytesPerMegabyte / measurement.Duration.TotalSeconds,
            LatencyMicroseconds = Summarize(recorder.Latency(RunPhase.Measure)),
            AllocatedBytesPerMessage = (double)measurement.AllocatedBytes / Math.Max(1, measured.ClientReceived),
            Valid = reasons.Count == 0,
            InvalidReasons = reasons,
            Aborted = measurement.Aborted,
            Environment = MachineInspector.Inspect(),
            Command = PlanArguments.CommandOf(plan),
        };
    }

    private static LatencySummary? Summarize(LatencyHistogram histogram)
    {
        double At(double percentile) => histogram.ValueAtPercentile(percentile) / 1000.0;
        return histogram.Count == 0
            ? null
            : new LatencySummary(histogram.Mean / 1000, At(50), At(90), At(99), At(99.9), At(99.99), histogram.Max / 1000.0);
    }

    private static List<string> FindInvalidity(
        RunPlan plan, Measurement measurement, MessageCounters measured, MessageCounters afterStart, long lost, SortedDictionary<string, long> errors)
    {
        var reasons = new List<string>();
        void AddIf(bool condition, FormattableString reason)
        {
            if (condition)
            {
                reasons.Add(reason.ToString(CultureInfo.InvariantCulture));
            }
        }

        AddIf(measurement.Aborted, $"The run was aborted after {measurement.Duration.TotalSeconds:0.0} s.");
        AddIf(measured.ClientReceived == 0, $"No message came back.");
        AddIf(lost > 0, $"{lost:N0} messages were lost in a closed loop, so fewer were in flight than asked for.{BufferRemedy(plan)}");
        AddIf(afterStart.Corrupted > 0, $"{afterStart.Corrupted:N0} messages came back damaged.");
        long errorCount = errors.Values.Sum();
        string names = string.Join(", ", errors.Select(error => string.Create(CultureInfo.InvariantCulture, $"{error.Key}: {error.Value:N0}")));
        AddIf(errorCount > 0, $"{errorCount:N0} errors happened ({names}).");
        return reasons;
    }

    // The usual reason of loss on one machine: the server's socket cannot hold what the clients have in flight.
    private static string BufferRemedy(RunPlan plan)
    {
        int needed = SocketBuffers.NeededByServer(plan);
        return OperatingSystem.IsLinux() && !Environment.IsPrivilegedProcess && MachineInspector.SocketReceiveBufferLimit() < needed
            ? $" This user's sockets hold at most {MachineInspector.SocketReceiveBufferLimit()} bytes and this load may need {needed}: 'sysctl -w net.core.rmem_max={needed}' helps, or running as root."
            : string.Empty;
    }
}
