using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Machine.Facts;

namespace NetCoreNetworkBenchmark.Running;

internal sealed class HostsCheck(RunPlan plan, Catalog catalog)
{
    private const int ClockReadings = 10;
    private static readonly TimeSpan s_pingTime = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_logOn = TimeSpan.FromSeconds(20);

    public async Task<CheckedHost> LogOnAsync(string host, CancellationToken cancellationToken)
    {
        long start = Stopwatch.GetTimestamp();
        try
        {
            await using var agent = new AgentProcess(AgentRole.Inspector, new RemoteHost(plan.Hosts, host));
            await agent.SendHelloAsync(plan, null, null, cancellationToken).WaitAsync(s_logOn, cancellationToken);
            TimeSpan logOn = Stopwatch.GetElapsedTime(start);
            ClockReading clock = await ReadClockAsync(agent, cancellationToken);
            agent.Send(new ByeFrame());
            return new CheckedHost(host, logOn, clock, null);
        }
        catch (Exception exception) when (exception is BenchmarkException or TimeoutException)
        {
            return new CheckedHost(host, Stopwatch.GetElapsedTime(start), null, exception.Message);
        }
    }

    public async Task<PingedHost> PingAsync(string host, CancellationToken cancellationToken)
    {
        IWorkload workload = catalog.DefaultWorkload;

        // The one of the lower rank runs on every system.
        LibraryInfo library = catalog.Infos.Where(info => info.IsBaseline).MinBy(info => info.ClientRank)!;
        RunPlan ping = workload.Complete(new RunPlan
        {
            Library = library.Name,
            Test = workload.Name,
            Address = plan.Address,
            Port = plan.Port,
            Clients = 1,
            ClientThreads = 1,
            WarmUp = TimeSpan.FromSeconds(0.5),
            Duration = s_pingTime,
            AnyMachine = true,
            Hosts = plan.Hosts with { ClientHosts = [new ClientHost(host)] },
        });
        try
        {
            RunResult result = await new Run(ping, library, workload, Placement.InFreshProcesses(ping)).RunAsync(cancellationToken);
            return new PingedHost(host, result, null);
        }
        catch (BenchmarkException exception)
        {
            return new PingedHost(host, null, exception.Message);
        }
    }

    // The reading with the shortest round trip is the best: the host's clock was read within it.
    private static async Task<ClockReading> ReadClockAsync(AgentProcess agent, CancellationToken cancellationToken)
    {
        ClockReading? best = null;
        for (int reading = 0; reading < ClockReadings; reading++)
        {
            DateTimeOffset requested = DateTimeOffset.UtcNow;
            long start = Stopwatch.GetTimestamp();
            HostFrame answer = await agent.RequestAsync<HostFrame>(new HostFrame(), cancellationToken).WaitAsync(s_logOn, cancellationToken);
            HostFacts facts = answer.Facts!;
            TimeSpan roundTrip = Stopwatch.GetElapsedTime(start);
            if (best is null || roundTrip < best.AnswerTime)
            {
                best = new ClockReading(facts, roundTrip, facts.Clock - requested - (roundTrip / 2));
            }
        }

        return best!;
    }
}

/// <param name="Fault">The reason why the host cannot be used, a sentence; null if it can.</param>
internal sealed record CheckedHost(string Host, TimeSpan LogOn, ClockReading? Clock, string? Fault);

/// <param name="AnswerTime">The time from the request to the answer. The offset is off by half of it at most.</param>
/// <param name="Offset">The time by which the host's clock is ahead of this machine's.</param>
internal sealed record ClockReading(HostFacts Facts, TimeSpan AnswerTime, TimeSpan Offset);

internal sealed record PingedHost(string Host, RunResult? Result, string? Fault);
