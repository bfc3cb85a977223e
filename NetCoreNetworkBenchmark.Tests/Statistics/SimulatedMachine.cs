namespace NetCoreNetworkBenchmark.Tests.Statistics;

/// <summary>
/// A shared machine as it was observed, on which several cases take turns. Its speed is a random walk with heavy tails from slice to slice, and
/// each fresh process has a speed of its own: a little noise, and in one of three starts a slower mode. The mean logarithm of a case's starts is its speed.
/// </summary>
internal sealed class SimulatedMachine(int seed)
{
    private const double UsualStartNoise = 0.01;
    private const double ShareOfSlowMode = 1 / 3.0;

    private readonly Random _random = new(seed);

    /// <summary>The standard deviation of the machine's speed from slice to slice.</summary>
    public double Drift { get; init; } = 0.05;
    public double SliceNoise { get; init; } = 0.03;

    /// <summary>The degrees of freedom of Student's distribution, from which noise and drift are: the fewer, the heavier its tails.</summary>
    public int Freedom { get; init; } = 5;

    /// <summary>The factor of the slice noise of the first case: an uneven library.</summary>
    public double NoiseOfFirst { get; init; } = 1;

    /// <summary>The standard deviation of the speed of the first case between its starts.</summary>
    public double StartNoiseOfFirst { get; init; } = UsualStartNoise;

    /// <summary>The loss of a process of the first case in its slower mode, if the others have none.</summary>
    public double SlowModeOfFirst { get; init; }

    /// <summary>The change of the speed of the machine from the first to the last round of a set, as a logarithm.</summary>
    public double Trend { get; init; }

    /// <summary>Simulates several sets of slices.</summary>
    /// <param name="slowMode">The loss of a process in its slower mode, such as 0.05.</param>
    /// <returns>The rates by set, case and round.</returns>
    public IReadOnlyList<IReadOnlyList<IReadOnlyList<double?>>> Slices(int sets, int rounds, double[] speeds, double slowMode) =>
        [.. Enumerable.Range(0, sets).Select(_ => Set(rounds, speeds, slowMode))];

    private double?[][] Set(int rounds, double[] speeds, double slowMode)
    {
        double[] started = [.. speeds.Select((speed, index) => speed * Start(index, slowMode))];
        double?[][] rates = [.. speeds.Select(_ => new double?[rounds])];
        int[] order = [.. Enumerable.Range(0, speeds.Length)];
        double machine = 0;
        for (int round = 0; round < rounds; round++)
        {
            if (round % 2 == 0)
            {
                _random.Shuffle(order);
            }
            else
            {
                Array.Reverse(order);
            }

            foreach (int index in order)
            {
                machine += (Drift * HeavyTailed()) + (Trend / rounds / speeds.Length);
                rates[index][round] = started[index] * Math.Exp(machine + ((index == 0 ? NoiseOfFirst : 1) * SliceNoise * HeavyTailed()));
            }
        }

        return rates;
    }

    private double Start(int index, double slowMode)
    {
        double slow = Math.Log(1 - (index == 0 && SlowModeOfFirst > 0 ? SlowModeOfFirst : slowMode));
        double mode = (_random.NextDouble() < ShareOfSlowMode ? slow : 0) - (ShareOfSlowMode * slow);
        return Math.Exp(((index == 0 ? StartNoiseOfFirst : UsualStartNoise) * _random.NextNormal()) + mode);
    }

    // Student's t, scaled to a variance of one.
    private double HeavyTailed()
    {
        double squares = 0;
        for (int degree = 0; degree < Freedom; degree++)
        {
            squares += Math.Pow(_random.NextNormal(), 2);
        }

        return _random.NextNormal() / Math.Sqrt(squares / Freedom) * Math.Sqrt((Freedom - 2.0) / Freedom);
    }
}
