using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>The speed of a shared machine differs little between neighbouring slices, so the ratios of the cases are free of its drift.</summary>
/// <param name="cases">Each with its participants, which are placed for the plan as it runs in a set.</param>
/// <param name="slice">The shortest measurement in a slice.</param>
internal sealed class InterleavedSet(
    IReadOnlyList<(SuiteCase Case, Func<RunPlan, ParticipantGroup> Place)> cases, TimeSpan slice, TimeSpan settle, int rounds, Random random)
{
    // A process that starts or ends uses little more than one core, and waits now and then.
    private static readonly int s_maxAtOnce = Math.Min(4, Environment.ProcessorCount + 1);

    // A load that is drained before each pause, and settles and drains slowly, has a slice of a third of that time: hardly longer, with less noise.
    private const double MinShareOfOverhead = 1 / 3.0;

    // A load that is drained before each pause begins with idle threads and empty queues each time, and needs longer to settle.
    private const int FactorOfDrained = 2;

    private const int MinTicks = 4;

    /// <summary>May be exceeded by one round. There is at least one.</summary>
    public TimeSpan Time { get; init; } = TimeSpan.MaxValue;

    /// <summary>Called before each round, with its number from 1; 0 while the cases start and warm up.</summary>
    public Action<int>? Starting { get; init; }

    /// <summary>None until the set has ended.</summary>
    public SetParts Parts { get; private set; } = SetParts.None;

    /// <param name="cancellationToken">
    /// In the first round, ends the set after that round; later, after the current slice. The slices of whole rounds are kept; the result of a case also has
    /// its slice of the other round.
    /// </param>
    /// <exception cref="OperationCanceledException">The set was cancelled before all cases were warm.</exception>
    public async Task<IReadOnlyList<InterleavedOutcome>> RunAsync(CancellationToken cancellationToken)
    {
        LiveCase[] live = [.. cases.Select(source => new LiveCase(source, slice, settle))];
        try
        {
            Starting?.Invoke(0);
            long begin = Stopwatch.GetTimestamp();
            await AtOnceAsync(live, (liveCase, token) => liveCase.OpenAsync(token), cancellationToken);
            long opened = Stopwatch.GetTimestamp();
            await WarmUpAsync(live, cancellationToken);
            LiveCase[] order = [.. live];
            int whole = 0;
            long start = Stopwatch.GetTimestamp();
            for (int round = 1;
                round <= rounds && (round == 1 || Stopwatch.GetElapsedTime(start) < Time) && !cancellationToken.IsCancellationRequested;
                round++)
            {
                Starting?.Invoke(round);
                whole += await RunRoundAsync(order, round, cancellationToken) ? 1 : 0;
            }

            // Nothing is measured any more. One after the other: several at a time may exceed the loss deadline. A user who ends the program does not wait.
            long end = Stopwatch.GetTimestamp();
            var drains = new List<Task>();
            foreach (LiveCase liveCase in live)
            {
                drains.Add(liveCase.DrainAsync());
                await drains[^1].WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }

            await Task.WhenAll(drains);
            await AtOnceAsync(live, (liveCase, _) => liveCase.FinishAsync(), CancellationToken.None);
            Parts = PartsOf(live, begin, opened, start, end);
            Array.ForEach(live, liveCase => liveCase.KeepSlices(whole));
        }
        finally
        {
            await Task.WhenAll(live.Select(liveCase => liveCase.DisposeAsync().AsTask()));
        }

        return [.. live.Select(liveCase => liveCase.Outcome)];
    }

    /// <summary>All slices have as many ticks of the server, wherever the first tick is.</summary>
    internal static TimeSpan InWholeTicks(TimeSpan length, TimeSpan? tick) => tick is { } interval
        ? Math.Max(MinTicks, Math.Ceiling(Math.Round(length / interval, 3))) * interval
        : length;

    // Nothing is measured while a process compiles.
    private static async Task WarmUpAsync(LiveCase[] live, CancellationToken cancellationToken)
    {
        for (LiveCase[] cold = [.. live.Where(liveCase => !liveCase.IsWarm)]; cold.Length > 0; cold = [.. cold.Where(liveCase => !liveCase.IsWarm)])
        {
            await AtOnceAsync(cold, (liveCase, token) => liveCase.WarmUpAsync(token), cancellationToken);
        }
    }

    private static SetParts PartsOf(LiveCase[] live, long begin, long opened, long start, long end)
    {
        SliceReport[] slices = [.. live.SelectMany(liveCase => liveCase.Outcome.Slices)];
        (double settle, double measure, double drain) =
            (slices.Sum(slice => slice.SettleSeconds), slices.Sum(slice => slice.Seconds), slices.Sum(slice => slice.DrainSeconds));
        return new SetParts(
            Stopwatch.GetElapsedTime(begin, opened).TotalSeconds,
            Stopwatch.GetElapsedTime(opened, start).TotalSeconds,
            settle,
            measure,
            drain,
            Math.Max(0, Stopwatch.GetElapsedTime(start, end).TotalSeconds - settle - measure - drain),
            Stopwatch.GetElapsedTime(end).TotalSeconds);
    }

    private static Task AtOnceAsync(LiveCase[] live, Func<LiveCase, CancellationToken, Task> step, CancellationToken cancellationToken) =>
        Parallel.ForEachAsync(
            live,
            new ParallelOptions { MaxDegreeOfParallelism = s_maxAtOnce, CancellationToken = cancellationToken },
            async (liveCase, token) => await step(liveCase, token));

    // Every second round mirrors the one before (ABBA), so that each case is once before and once after each other one: a steady drift of the machine, and
    // what a slice leaves behind for the next, favour none. Returns false if the user has ended the round, which is never the first one.
    private async Task<bool> RunRoundAsync(LiveCase[] order, int round, CancellationToken cancellationToken)
    {
        if (round % 2 == 0)
        {
            Array.Reverse(order);
        }
        else
        {
            random.Shuffle(order);
        }

        foreach (LiveCase liveCase in order)
        {
            if (round > 1 && cancellationToken.IsCancellationRequested)
            {
                return false;
            }

            await liveCase.MeasureAsync();
        }

        return true;
    }

    private sealed class LiveCase(
        (SuiteCase Case, Func<RunPlan, ParticipantGroup> Place) source, TimeSpan slice, TimeSpan settle) : IAsyncDisposable
    {
        private readonly List<SliceReport> _slices = [];

        // All servers are alive together, so the system chooses the ports. A disturbance changes the rate of all cases alike, so it makes no set invalid.
        private readonly RunPlan _plan = source.Case.Plan with
        {
            Port = 0,
            AnyMachine = true,
            LossDeadline = Deadlines.ForLossInSlices(source.Case.Plan, source.Case.Workload.NeedsReliableDelivery(source.Case.Plan)),
            Runtime = source.Case.Plan.Runtime.WithLessCompilation(),
        };

        private TimeSpan _slice = slice;
        private TimeSpan _warmedUp;
        private ParticipantGroup? _participants;
        private SlicedRun? _run;
        private RunResult? _result;
        private string? _failure;
        private Task _step = Task.CompletedTask;

        public bool IsWarm => _failure is not null || _run!.IsJitQuiet == true || _warmedUp >= _plan.WarmUp
            || (source.Case.Workload.EndsWhenDone(_plan) && _warmedUp > TimeSpan.Zero);
        public InterleavedOutcome Outcome => new(source.Case, _slices, _run?.ServerSlices ?? [], _run?.IsJitQuiet == true, _result, _failure);

        public Task OpenAsync(CancellationToken cancellationToken) => AttemptAsync(
            async token =>
            {
                _participants = source.Place(_plan);
                _run = await SlicedRun.OpenAsync(_plan, source.Case.Library, source.Case.Workload, _participants, token);
            },
            cancellationToken);

        public Task WarmUpAsync(CancellationToken cancellationToken) => AttemptAsync(
            async token => _warmedUp += await _run!.WarmUpAsync(token),
            cancellationToken);

        public Task MeasureAsync() => AttemptAsync(
            async token =>
            {
                int factor = _run!.StaysInFlight ? 1 : FactorOfDrained;
                SliceReport report = await _run.SliceAsync(factor * settle, InWholeTicks(factor * _slice, _plan.Tick), token);
                _slices.Add(report);
                if (_slices.Count == 1 && !_run.StaysInFlight)
                {
                    // All later slices are alike, so that none has a weight that depends on the speed of the machine.
                    double overhead = report.SettleSeconds - (factor * settle.TotalSeconds) + report.DrainSeconds;
                    var min = TimeSpan.FromSeconds(MinShareOfOverhead * overhead / factor);
                    _slice = _slice < min ? min : _slice;
                }
            },
            CancellationToken.None);

        public void KeepSlices(int count) => _slices.RemoveRange(Math.Min(count, _slices.Count), Math.Max(0, _slices.Count - count));

        public Task DrainAsync() => AttemptAsync(
            _ => _slices.Count > 0 ? _run!.DrainAsync() : Task.CompletedTask, CancellationToken.None);

        public Task FinishAsync() => AttemptAsync(async _ => _result = _slices.Count > 0 ? await _run!.CollectAsync() : null, CancellationToken.None);

        public async ValueTask DisposeAsync()
        {
            // A step that was given up may still be about to start processes.
            await Task.WhenAny(_step, Task.Delay(Deadlines.Process));
            try
            {
                if (_run is not null)
                {
                    await _run.DisposeAsync();
                }
            }
            catch (Exception exception)
            {
                // A participant that cannot be ended is the fault of this case alone, and what was measured is kept.
                _failure ??= ParticipantGroup.NotEnded(exception);
            }
        }

        private async Task AttemptAsync(Func<CancellationToken, Task> step, CancellationToken cancellationToken)
        {
            if (_failure is not null)
            {
                return;
            }

            try
            {
                await (_step = step(cancellationToken)).WaitAsync(cancellationToken);
            }
            catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
            {
                throw;
            }
            catch (Exception exception)
            {
                // An unexpected failure also belongs to this case alone. The others go on.
                _failure = exception.Message;
            }
        }
    }
}

/// <param name="ServerSlices">None if the server did not report its resources.</param>
/// <param name="IsJitQuiet">Whether the JIT compilers were quiet when the first slice began.</param>
internal sealed record InterleavedOutcome(
    SuiteCase Case,
    IReadOnlyList<SliceReport> Slices,
    IReadOnlyList<ServerSlice> ServerSlices,
    bool IsJitQuiet,
    RunResult? Result,
    string? Failure)
{
    public double MessagesPerSecond => Slices.Sum(slice => slice.Messages) / Slices.Sum(slice => slice.Seconds);

    public LaunchResult ToLaunch(int set) =>
        new(set, Result, Failure ?? (Result is { Valid: false } ? string.Join(' ', Result.InvalidReasons) : null)) { Slices = Series() };

    public SliceSeries Series()
    {
        double[] ofServer = [.. Slices.Select((_, round) => ServerShareOf(round))];
        double[] compilation = [.. Slices.Select((slice, round) => Math.Max(ShareOf(slice.CompilationSeconds, slice.Seconds), ofServer[round]))];
        bool[] arePunctual = KeptUnlessMost([.. Slices.Select(slice => slice.LateShare <= SliceSeries.MaxLate)]);
        bool[] areQuiet = AreQuiet(compilation);
        bool[] isServerQuiet = AreQuiet(ofServer);
        return new SliceSeries(
            [.. Slices.Select((slice, round) => Kept(areQuiet, round, slice.Messages / slice.Seconds))],
            [
                .. Slices.Select((slice, round) => ServerOf(round) is { } server
                    ? Kept(isServerQuiet, round, 1e6 * (server.CpuSeconds - server.CompilationSeconds) / (MessagesOf(server) ?? slice.Messages))
                    : null),
            ])
        {
            P50Microseconds = [.. Slices.Select((slice, round) => Kept(areQuiet, round, slice.P50Microseconds))],
            P99Microseconds = [.. Slices.Select((slice, round) => Kept(areQuiet, round, slice.P99Microseconds))],
            LateShares = [.. Slices.Select(slice => slice.LateShare)],
            CompilationShares = compilation,
            OverheadSeconds = Slices.Count == 0 ? 0 : Slices.Average(slice => slice.SettleSeconds + slice.DrainSeconds),
            StillCompiled = !IsJitQuiet,
        };

        double? Kept(bool[] quiet, int round, double? figure) =>
            quiet[round] && arePunctual[round] && figure is { } known && double.IsFinite(known) && known > 0 ? known : null;
    }

    private static bool[] AreQuiet(double[] compilation) => KeptUnlessMost([.. compilation.Select(share => share <= SliceSeries.MaxCompilation)]);

    private static bool[] KeptUnlessMost(bool[] kept) =>
        SliceSeries.AreMost(kept.Count(isKept => !isKept), kept.Length) ? [.. kept.Select(_ => true)] : kept;

    private static double ShareOf(double compilation, double seconds) => seconds > 0 ? compilation / seconds : 0;

    // Of a server with ticks, only what reached its clients counts: a library that loses some must not look cheaper.
    private long? MessagesOf(ServerSlice server) => Case.Plan.Tick is null ? server.Messages : null;

    private ServerSlice? ServerOf(int round) => ServerSlices.ElementAtOrDefault(round);

    private double ServerShareOf(int round) => ServerOf(round) is { } server ? ShareOf(server.CompilationSeconds, server.Seconds) : 0;
}
