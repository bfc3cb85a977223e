using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>
/// Several cases whose processes are alive together and take turns: one load runs for a slice while all others are paused, then the next, in an order
/// that is shuffled for each round. The speed of a shared machine differs little between neighbouring slices, so the ratios of the cases are free of its
/// drift. A case that breaks is left out from then on, and the others go on.
/// </summary>
/// <param name="cases">The cases; two or more.</param>
/// <param name="slice">The length of the measurement in a slice.</param>
/// <param name="rounds">The number of slices of each case.</param>
/// <param name="random">The source of the order.</param>
internal sealed class InterleavedSet(IReadOnlyList<InterleavedCase> cases, TimeSpan slice, int rounds, Random random)
{
    /// <summary>Called before each round, with its number from 1; 0 while the cases start and warm up.</summary>
    public Action<int>? Starting { get; init; }

    /// <summary>Starts a fresh set of processes, measures all rounds, and ends the processes.</summary>
    /// <param name="cancellationToken">Ends the set after the current slice. The figures so far are kept.</param>
    /// <returns>An outcome for each case, in the order of the cases.</returns>
    /// <exception cref="OperationCanceledException">The set was cancelled before all cases were warm.</exception>
    public async Task<IReadOnlyList<InterleavedOutcome>> RunAsync(CancellationToken cancellationToken)
    {
        Turn[] turns = [.. cases.Select(found => new Turn(found))];
        try
        {
            Starting?.Invoke(0);
            foreach (Turn turn in turns)
            {
                await turn.StartAsync(cancellationToken).ConfigureAwait(false);
            }

            for (int round = 1; round <= rounds && !cancellationToken.IsCancellationRequested; round++)
            {
                Starting?.Invoke(round);
                await RunRoundAsync(turns).ConfigureAwait(false);
            }

            foreach (Turn turn in turns)
            {
                await turn.FinishAsync().ConfigureAwait(false);
            }
        }
        finally
        {
            foreach (Turn turn in turns)
            {
                await turn.DisposeAsync().ConfigureAwait(false);
            }
        }

        return [.. turns.Select(turn => turn.Outcome)];
    }

    // A round is completed, so that every case has as many slices as the others.
    private async Task RunRoundAsync(Turn[] turns)
    {
        Turn[] order = [.. turns];
        random.Shuffle(order);
        foreach (Turn turn in order)
        {
            await turn.MeasureAsync(slice).ConfigureAwait(false);
        }
    }

    /// <summary>One case while its processes are alive.</summary>
    private sealed class Turn(InterleavedCase of) : IAsyncDisposable
    {
        private readonly List<SliceReport> _slices = [];
        private LiveRun? _run;
        private RunResult? _result;
        private string? _failure;

        public InterleavedOutcome Outcome => new(of, _slices, _result, _failure);

        public Task StartAsync(CancellationToken cancellationToken) => AttemptAsync(async () =>
        {
            _run = await new Coordinator(of.Plan, of.Library, of.Workload).OpenAsync(of.Place(), cancellationToken).ConfigureAwait(false);
            await _run.WarmUpAsync(cancellationToken).ConfigureAwait(false);
        });

        public Task MeasureAsync(TimeSpan length) => AttemptAsync(
            async () => _slices.Add(await _run!.SliceAsync(length, CancellationToken.None).ConfigureAwait(false)));

        public Task FinishAsync() => AttemptAsync(async () =>
        {
            await _run!.CollectAsync().ConfigureAwait(false);
            _result = await _run.FinishAsync().ConfigureAwait(false);
        });

        public ValueTask DisposeAsync() => _run?.DisposeAsync() ?? ValueTask.CompletedTask;

        private async Task AttemptAsync(Func<Task> step)
        {
            if (_failure is not null)
            {
                return;
            }

            try
            {
                await step().ConfigureAwait(false);
            }
            catch (BenchmarkException exception)
            {
                // The other cases go on.
                _failure = exception.Message;
            }
        }
    }
}
