namespace NetCoreNetworkBenchmark.Tests.Histograms;

/// <summary>
/// Histograms that were encoded by HdrHistogram for Java 2.1.11 (http://hdrhistogram.org, public domain), and the values that it reports
/// after decoding them again.
/// </summary>
internal static class ReferenceVectors
{
    /// <summary>The layout of this program, with nothing recorded.</summary>
    public const string Empty = "HISTFAAAACB42pNpmSzMwMDAyAABzFAaxOf94R7BYP8BKgIAUR8EHw==";

    /// <summary>The layout of this program, with <see cref="FewValues"/> recorded.</summary>
    public const string Few = "HISTFAAAADF42pNpmSzMwMAgwAABzFCaEYh5f7hHMNh/gAgwsfyUZ2L5y8+0v45l819GJgC6IQlU";

    /// <summary>The layout of this program, with 1 recorded 2^0 times, 2 recorded 2^5 times, and so on to 12 and 2^55.</summary>
    public const string ManyBits = "HISTFAAAAEJ42pNpmSzMwMBgyQABzFCaEYh5f7hHMNh/gIowOTQINDSwNDQ0MAKxAhA3cICIBiYw6QAmQUrAgAVKNzACALZpGy0=";

    /// <summary>The encoding of <see cref="Few"/> before it is compressed.</summary>
    public const string FewPlain = "1c84931300000010000000000000000300000000000000010000000df84758003ff00000000000000204f91f0204fd0f02bf7e04b3fd0102";

    /// <summary>The encoding of <see cref="Empty"/> before it is compressed.</summary>
    public const string EmptyPlain = "1c84931300000001000000000000000300000000000000010000000df84758003ff000000000000000";

    /// <summary>The encoding of <see cref="ManyBits"/> before it is compressed.</summary>
    public const string ManyBitsPlain =
        "1c84931300000039000000000000000300000000000000010000000df84758003ff00000000000000002408010808004808080018080802080808080" +
        "08808080808002808080808040808080808080108080808080808004808080808080808001";

    public static long[] FewValues => [0, 1, 1, 2047, 2048, 2049, 4096, 1_000_000, 1_000_000, LatencyHistogram.HighestTrackable];

    public static LatencyHistogram Record(params IEnumerable<long> values)
    {
        var histogram = new LatencyHistogram();
        foreach (long value in values)
        {
            histogram.Record(value);
        }

        return histogram;
    }

    /// <summary>The cubes of 1 to 1,000, times 50: from 50 ns to 50 s.</summary>
    public static LatencyHistogram Cubes() => Record(Enumerable.Range(1, 1000).Select(number => 50L * number * number * number));
}
