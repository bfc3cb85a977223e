namespace NetCoreNetworkBenchmark.Tests.Statistics;

/// <summary>
/// A shared machine as it was observed, on which several cases take turns. Its speed is a random walk with heavy tails from slice to slice, and
/// each fresh process has a speed of its own: a little noise, and in one of three starts a slower mode.
/// </summary>
internal sealed class SimulatedMachine(int seed)
{
    private const double Drift = 0.05;
    private const double SliceNoise = 0.03;
    private const double StartNoise = 0.01;
    private const double ShareOfSlowMode = 1 / 3.0;

    private readonly Random _random = new(seed);

    /// <summary>The factor of the slice noise of the first case: an uneven library.</summary>
    public double NoiseOfFirst { get; init; } = 1;

    /// <summary>The change of the speed of the machine from the first to the last round of a set, as a logarithm.</summary>
    public double Trend { get; init; }

    /// <summary>Simulates several sets of slices.</summary>
    /// <param name="sets">The number of sets.</param>
    /// <param name="rounds">The number of slices of each case in a set.</param>
    /// <param name="speeds">The true speeds of the cases.</param>
    /// <param name="slowMode">The loss of a process in its slower mode, such as 0.05.</param>
    /// <returns>The rates by set, case and round.</returns>
    public IReadOnlyList<IReadOnlyList<IReadOnlyList<double?>>> Slices(int sets, int rounds, double[] speeds, double slowMode) =>
        [.. Enumerable.Range(0, sets).Select(_ => Set(rounds, speeds, slowMode))];

    private double?[][] Set(int rounds, double[] speeds, double slowMode)
    {
        double[] started = [.. speeds.Select(speed => speed * Start(slowMode))];
        double?[][] rates = [.. speeds.Select(_ => new double?[rounds])];
        int[] order = [.. Enumerable.Range(0, speeds.Length)];
        double machine = 0;
        for (int round = 0; round < rounds; round++)
        {
            _random.Shuffle(order);
            foreach (int index in order)
            {
                machine += (Drift * HeavyTailed()) + (Trend / rounds / speeds.Length);
                rates[index][round] = started[index] * Math.Exp(machine + ((index == 0 ? NoiseOfFirst : 1) * SliceNoise * HeavyTailed()));
            }
        }

        return rates;
    }

    private double Start(double slowMode) => Math.Exp(StartNoise * _random.NextNormal()) * (_random.NextDouble() < ShareOfSlowMode ? 1 - slowMode : 1);

    // Student's t with five degrees of freedom, scaled to a variance of one.
    private double HeavyTailed()
    {
        const int Freedom = 5;
        double squares = Enumerable.Range(0, Freedom).Sum(_ => Math.Pow(_random.NextNormal(), 2));
        return _random.NextNormal() / Math.Sqrt(squares / Freedom) * Math.Sqrt((Freedom - 2.0) / Freedom);
    }
}
