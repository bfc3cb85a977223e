using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>
/// Takes one plan through its phases: bind, connect, warm up, measure, drain, stop; each with a deadline. Cancelling ends the
/// phase that runs, keeps what was measured and marks it as aborted.
/// </summary>
internal sealed class Runner(RunPlan plan, INetworkBenchmark library, IWorkload workload)
{
    private static readonly TimeSpan s_reportInterval = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_abortedDrain = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_drainCheck = TimeSpan.FromMilliseconds(5);

    /// <summary>Told now and then where the run is.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Runs the plan.</summary>
    /// <exception cref="BenchmarkException">The run could not start or broke off.</exception>
    /// <exception cref="OperationCanceledException">Cancelled before anything was measured.</exception>
    public async Task<RunResult> RunAsync(CancellationToken cancellationToken)
    {
        IPEndPoint endPoint = await ResolveAsync(plan, cancellationToken).ConfigureAwait(false);
        using var recorder = new RunRecorder();
        IBenchmarkServer server = library.StartServer(new ServerSetup
        {
            EndPoint = endPoint,
            Plan = plan,
            Handler = workload.CreateServerHandler(plan, recorder),
            Recorder = recorder,
        });
        await using (server.ConfigureAwait(false))
        {
            Progress?.Invoke(new RunProgress(RunPhase.Connect, TimeSpan.Zero, null, 0));
            IClientGroup clients = await library.ConnectAsync(
                new ClientSetup
                {
                    EndPoint = server.EndPoint,
                    Plan = plan,
                    Handler = workload.CreateClientHandler(plan, recorder),
                    Recorder = recorder,
                },
                cancellationToken).ConfigureAwait(false);
            await using (clients.ConfigureAwait(false))
            {
                Measurement measurement = await LoadAsync(recorder, clients, cancellationToken).ConfigureAwait(false);
                recorder.Enter(RunPhase.Stop);
                return ResultBuilder.Build(plan, library.Info, server.EndPoint, recorder, measurement);
            }
        }
    }

    internal static async Task<IPEndPoint> ResolveAsync(RunPlan plan, CancellationToken cancellationToken)
    {
        if (IPAddress.TryParse(plan.Address, out IPAddress? address))
        {
            return new IPEndPoint(address, plan.Port);
        }

        try
        {
            IPAddress[] addresses = await Dns.GetHostAddressesAsync(plan.Address, cancellationToken)
                .WaitAsync(TimeSpan.FromSeconds(5), cancellationToken).ConfigureAwait(false);

            // IPv4 first: not every library speaks IPv6.
            return new IPEndPoint(addresses.OrderBy(candidate => candidate.AddressFamily != AddressFamily.InterNetwork).First(), plan.Port);
        }
        catch (Exception exception) when (exception is SocketException or TimeoutException or InvalidOperationException or ArgumentException)
        {
            throw BenchmarkException.BadInput(
                $"Option --address: '{plan.Address}' is neither an IP address nor a host name that can be resolved; valid are those, such as 127.0.0.1 or localhost.",
                exception);
        }
    }

    private async Task<Measurement> LoadAsync(RunRecorder recorder, IClientGroup clients, CancellationToken cancellationToken)
    {
        recorder.Enter(RunPhase.WarmUp);
        clients.Start();
        await StayAsync(recorder, RunPhase.WarmUp, plan.WarmUp, cancellationToken).ConfigureAwait(false);

        // Garbage of the start must not be collected within the measurement, where it would count as the library's.
        GC.Collect();
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        recorder.Enter(RunPhase.Measure);
        long start = Stopwatch.GetTimestamp();
        await StayAsync(recorder, RunPhase.Measure, plan.Duration, cancellationToken).ConfigureAwait(false);
        recorder.Enter(RunPhase.Drain);
        TimeSpan duration = Stopwatch.GetElapsedTime(start);
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;

        bool aborted = cancellationToken.IsCancellationRequested;
        await DrainAsync(recorder, aborted ? s_abortedDrain : plan.LossDeadline + TimeSpan.FromSeconds(1)).ConfigureAwait(false);
        return new Measurement(startedAt, duration, allocated, aborted);
    }

    private async Task StayAsync(RunRecorder recorder, RunPhase phase, TimeSpan length, CancellationToken cancellationToken)
    {
        long start = Stopwatch.GetTimestamp();
        long before = recorder.Count(phase).ClientReceived;
        TimeSpan reported = TimeSpan.Zero;
        while (Stopwatch.GetElapsedTime(start) is var elapsed && elapsed < length && !cancellationToken.IsCancellationRequested)
        {
            TimeSpan step = length - elapsed < s_reportInterval ? length - elapsed : s_reportInterval;
            await WaitAsync(recorder, step, cancellationToken).ConfigureAwait(false);
            TimeSpan now = Stopwatch.GetElapsedTime(start);
            long received = recorder.Count(phase).ClientReceived;
            Progress?.Invoke(new RunProgress(phase, now, length, (received - before) / (now - reported).TotalSeconds));
            (before, reported) = (received, now);
        }
    }

    private static async Task WaitAsync(RunRecorder recorder, TimeSpan length, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task delay = Task.Delay(length, over.Token);
        if (await Task.WhenAny(delay, recorder.Fault).ConfigureAwait(false) == recorder.Fault)
        {
            await over.CancelAsync().ConfigureAwait(false);
            Exception fault = await recorder.Fault.ConfigureAwait(false);
            throw new BenchmarkException($"The run broke off: {fault.Message}", fault);
        }
    }

    private static async Task DrainAsync(RunRecorder recorder, TimeSpan deadline)
    {
        long start = Stopwatch.GetTimestamp();
        while (recorder.InFlight() > 0 && Stopwatch.GetElapsedTime(start) < deadline)
        {
            await WaitAsync(recorder, s_drainCheck, CancellationToken.None).ConfigureAwait(false);
        }
    }
}
