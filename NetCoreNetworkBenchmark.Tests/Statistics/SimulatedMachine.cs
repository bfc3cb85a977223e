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

    /// <summary>Simulates the ratios new / old of several sets.</summary>
    /// <param name="sets">The number of sets.</param>
    /// <param name="rounds">The number of slices of each build in a set.</param>
    /// <param name="ratio">The true ratio.</param>
    /// <param name="slowMode">The loss of a process in its slower mode, such as 0.05.</param>
    public double[] Ratios(int sets, int rounds, double ratio, double slowMode) => [.. Enumerable.Range(0, sets).Select(_ => Ratio(rounds, ratio, slowMode))];

    /// <summary>Simulates the ratios of several cases to one of them, in several sets.</summary>
    /// <param name="sets">The number of sets.</param>
    /// <param name="rounds">The number of slices of each case in a set.</param>
    /// <param name="speeds">The true speeds of the cases.</param>
    /// <param name="floor">The index of the case to which the others are compared.</param>
    /// <param name="slowMode">The loss of a process in its slower mode, such as 0.05.</param>
    /// <returns>The ratios by case and set.</returns>
    public double[][] RatiosToFloor(int sets, int rounds, double[] speeds, int floor, double slowMode)
    {
        double[][] sums = [.. Enumerable.Range(0, sets).Select(_ => Sums(rounds, speeds, slowMode))];
        return [.. speeds.Select((_, index) => sums.Select(set => set[index] / set[floor]).ToArray())];
    }

    private double Ratio(int rounds, double ratio, double slowMode)
    {
        double[] sums = Sums(rounds, [1, ratio], slowMode);
        return sums[1] / sums[0];
    }

    private double[] Sums(int rounds, double[] speeds, double slowMode)
    {
        double[] started = [.. speeds.Select(speed => speed * Start(slowMode))];
        double[] sums = new double[speeds.Length];
        int[] order = [.. Enumerable.Range(0, speeds.Length)];
        double machine = 0;
        for (int round = 0; round < rounds; round++)
        {
            _random.Shuffle(order);
            foreach (int found in order)
            {
                machine += Drift * HeavyTailed();
                sums[found] += started[found] * Math.Exp(machine + (SliceNoise * HeavyTailed()));
            }
        }

        return sums;
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
