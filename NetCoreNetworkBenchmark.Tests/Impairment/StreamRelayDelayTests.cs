using NetCoreNetworkBenchmark.Tests.EndToEnd;

namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>The accuracy of a delay. No other test may run at the same time.</summary>
[Collection(nameof(TruthTests))]
[Trait("Category", "Timing")]
public sealed class StreamRelayDelayTests
{
    private const int MostAttempts = 60;

    [Fact]
    public async Task The_delay_is_exact_to_a_tenth_of_a_millisecond_each_way()
    {
        const double Delay = 3;
        const double Tolerance = 0.1;
        await using var without = new RelayedStreams(new ImpairmentPlan());
        await using var with = new RelayedStreams(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(Delay) });
        using StreamPair undelayedPair = without.Connect();
        using StreamPair delayedPair = with.Connect();
        (double undelayed, double delayed) = (double.MaxValue, double.MaxValue);
        for (int attempt = 0; attempt < MostAttempts && (attempt == 0 || delayed - undelayed - Delay > Tolerance); attempt++)
        {
            // A busy machine can only add delay, so the least of several medians is the most accurate.
            undelayed = Math.Min(undelayed, MedianOneWay(undelayedPair));
            double median = MedianOneWay(delayedPair);
            Assert.InRange(median, Delay, double.MaxValue);
            delayed = Math.Min(delayed, median);
        }

        TestContext.Current.TestOutputHelper?.WriteLine(FormattableString.Invariant($"one way {delayed:0.000} ms, undelayed {undelayed:0.000} ms"));
        Assert.InRange(delayed - undelayed - Delay, -Tolerance, Tolerance);
    }

    // The milliseconds from a send to the receive at the other end of the relay.
    private static double MedianOneWay(StreamPair pair)
    {
        const int Count = 21;
        var took = new List<double>();
        for (int number = 0; number < Count; number++)
        {
            (Socket sender, Socket receiver) = number % 2 == 0 ? (pair.Client, pair.Server) : (pair.Server, pair.Client);
            long start = Stopwatch.GetTimestamp();
            sender.Send([1]);
            Assert.Single(RelayedStreams.Receive(receiver, 1));
            took.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }

        return took.Order().ElementAt(Count / 2);
    }
}
