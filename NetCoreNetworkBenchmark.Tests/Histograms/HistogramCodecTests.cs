using System.Buffers;
using System.IO.Compression;

namespace NetCoreNetworkBenchmark.Tests.Histograms;

public sealed class HistogramCodecTests
{
    private const int HeaderSize = 8;

    /// <summary>
    /// Encoding, count, minimum, median, 90th percentile, maximum and mean. The histograms of other layouts contain (i^4 * 1234567 / 3), recorded i times
    /// for each i from 1 to 12. The comments show their lowest and highest values and their digits.
    /// </summary>
    public static TheoryData<string, long, long, long, long, long, double> Decoded => new()
    {
        { ReferenceVectors.Empty, 0, 0, 0, 0, 0, 0 },
        { ReferenceVectors.Few, 10, 0, 2049, 1000447, 60028878847, 6.0014112261E9 },
        { ReferenceVectors.ManyBits, 37191016277640225, 1, 12, 12, 12, 11.967741935483872 },

        // 1, 60 s, 3, but the largest value that the array holds
        { "HISTFAAAACV42pNpmSzMwMDAwgABzFCaEYh5f7hHMNh/gAj8Xc/MBABj9AXT", 1, 68685922304, 68719476735, 68719476735, 68719476735, 6.870269952E10 },

        // 1, 60 s, 3, and shifted left by 3, with a normalizing index offset of 3,072
        { "HISTFAAAACt42pNpmSzMwMDAxsDAA6QYmBkggBGIeX+4RzDYf4AIHE5mOmzLBABxewZa", 2, 40000, 40031, 560127, 560127, 299944.0 },

        // 1, 60 s, 2
        {
            "HISTFAAAAEV42pNpmSzMwMCgzAABTFCaEYh5f7hHMNh/gAj0SzL9ZWd5ycI2kZnjOhNXPxPPdUa+7YwCaxmFljOKVIpNZpQAAJYxDWY=",
            78, 409600, 2701131775, 8556380159, 8556380159, 3.327492739282051E9
        },

        // 1000, 60 s, 3
        {
            "HISTFAAAAEZ42pNpmSzMwMCgwgABzFDqBZDg/eEewWD/ASJylIfpqA3LZTW25ZIch0W5egV5LvLyXeYW+MsldJhL5CG72EpOCQDqjA/z",
            78, 411136, 2701131775, 8535408639, 8535408639, 3.32763248574359E9
        },

        // 1024, an hour, 3
        {
            "HISTFAAAAEZ42pNpmSzMwMCgwgABzBCKBcR0M9ixgMH+A0RkIRvTSyOWy2psyyU5Doty9QryXOTlu8wt8JdL6DCXyEN2sZWcEgC/6g8p",
            78, 410624, 2701131775, 8535408639, 8535408639, 3.3276324824615383E9
        },

        // 1, resized as needed, 0
        { "HISTFAAAACp42pNpmSzMwMDAx4AKGEH4PxDYf4AIqDKxsjCwMXBw8fAJqOkBAMTrB0g=", 78, 262144, 4294967295, 8589934591, 8589934591, 2.971992064E9 },

        // 1, resized as needed, 1
        {
            "HISTFAAAADZ42pNpmSzMwMAgyQABjEg0438gsP8AEfjIzFTL4slmyKHOJc8jyScqICwkKMIrxi8BAEMpCck=",
            78, 409600, 2818572287, 8589934591, 8589934591, 3.323282143179487E9
        },

        // 1000000, the half of all, 2
        {
            "HISTFAAAAD542pNpmSzMwMAgzwABTGCS38nB/j8E2H+ASoiyJLP1M3FcZ+LqZ+K5zsi3nVFgLaPQckaRSrHJjBIATCoRYg==",
            78, 0, 2701131775, 8556380159, 8556380159, 3.327487894974359E9
        },
    };

    public static TheoryData<string, string> Refused => new()
    {
        { "not base64!", "base" },
        { "", "not a compressed HdrHistogram" },
        { "HISTFA==", "not a compressed HdrHistogram" },
        { "HISTFAAAACg=", "should have 40 compressed bytes" },

        // Written by the reference: not compressed, floating-point, counts that overflow, a value of two minutes
        { "HISTEwAAABAAAAAAAAAAAwAAAAAAAAABAAAADfhHWAA/8AAAAAAAAAIE+R8CBP0PAr9+BLP9AQI=", "not a compressed HdrHistogram" },
        { "DHISTwAAAAMAAAAAAAAAAhyEkxQAAAAgeJyTaZkszMDAwMwAATCaEULJ/7cPgLD+izMBAExnBBM=", "not a compressed HdrHistogram" },
        { "HISTFAAAACd42pNpmSzMwMAAwiDADKUZgZj3h3sEg/0HiADnv/9QAGcAAEnpFiY=", "too large" },
        { "HISTFAAAACV42pNpmSzMwMDAwgABzFCaEch0M9ixgMH+A0Tg+25mJgBmDgYG", "more than the 68719476735 ns" },

        { Compress(Plain(), length: 1000), "should have 1000 compressed bytes" },
        { Compress(Plain(), length: -1), "should have -1 compressed bytes" },
        { Compress(Plain()[..20]), "damaged or cut off" },
        { Compress(Plain(payloadLength: 17)), "damaged or cut off" },
        { Compress(Plain(cookie: 0x1c849301)), "not an HdrHistogram of version 2" },
        { Compress(Plain(payloadLength: -1)), "cannot have -1 bytes" },
        { Compress(Plain(payloadLength: int.MaxValue)), "cannot have 2147483647 bytes" },
        { Compress(Plain(digits: 6)), "0 to 5 significant digits" },
        { Compress(Plain(digits: -1)), "0 to 5 significant digits" },
        { Compress(Plain(lowest: 0)), "range 0 to" },
        { Compress(Plain(lowest: 60, highest: 100)), "range 60 to 100" },
        { Compress(Plain(lowest: long.MaxValue / 2)), "No histogram" },
        { Compress(Plain(highest: -5)), "range 1 to -5" },

        // A run of zeros, then a count beyond the 2,048 + 1,024 counts that 4,095 needs; runs that are too long for any array
        { Compress([.. Plain(payloadLength: 4, highest: 4095)[..40], 0xff, 0x2f, 0x02, 0x02]), "more counts than" },
        { Compress([.. Plain(payloadLength: 9)[..40], 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), "more counts than" },
        { Compress([.. Plain(payloadLength: 1)[..40], 0x80]), "end within a number" },
    };

    [Theory, MemberData(nameof(Decoded))]
    public void Decode_gives_what_the_reference_gives(string base64, long count, long min, long p50, long p90, long max, double mean)
    {
        LatencyHistogram histogram = HistogramCodec.Decode(base64);
        Assert.Equal((count, min, max), (histogram.Count, histogram.Min, histogram.Max));
        Assert.Equal(
            (min, p50, p90, max),
            (histogram.ValueAtPercentile(0), histogram.ValueAtPercentile(50), histogram.ValueAtPercentile(90), histogram.ValueAtPercentile(100)));
        Assert.Equal(mean, histogram.Mean, tolerance: 1e-12 * mean);
    }

    [Fact]
    public void Decode_brings_five_digits_down_to_three()
    {
        LatencyHistogram histogram = HistogramCodec.Decode(
            "HISTFAAAAFN42pNpmSzMwMBgwAABrFCaEYh5f7hHMNh/gAg09msy/f1vz/L7qhrb/5WSHEePinJtniDIM/EKL9/rq9wC7/9zCV0+yiWy8Qm72P/VnBIAMVMZMA==");
        Assert.Equal((78, 411522, 8533344255), (histogram.Count, histogram.Min, histogram.Max));
        Assert.Equal(3.327570138705128E9, histogram.Mean, tolerance: 0.01);
        Assert.InRange(histogram.ValueAtPercentile(50), 2700001279, 2700001279 * 1.001);
    }

    [Fact]
    public void Encode_gives_the_bytes_that_the_reference_compresses()
    {
        Assert.Equal(ReferenceVectors.EmptyPlain, Inflate(HistogramCodec.Encode(new LatencyHistogram())));
        Assert.Equal(ReferenceVectors.FewPlain, Inflate(HistogramCodec.Encode(ReferenceVectors.Record(ReferenceVectors.FewValues))));
        Assert.Equal(ReferenceVectors.ManyBitsPlain, Inflate(HistogramCodec.Encode(HistogramCodec.Decode(ReferenceVectors.ManyBits))));
    }

    [Fact]
    public void Encode_writes_the_cookie_and_the_length_before_the_compressed_bytes()
    {
        byte[] bytes = Convert.FromBase64String(HistogramCodec.Encode(ReferenceVectors.Cubes()));
        Assert.Equal(0x1c849314, BinaryPrimitives.ReadInt32BigEndian(bytes));
        Assert.Equal(bytes.Length - HeaderSize, BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(4)));
    }

    [Fact]
    public void Decode_of_Encode_has_the_same_buckets()
    {
        LatencyHistogram histogram = ReferenceVectors.Cubes();
        LatencyHistogram decoded = HistogramCodec.Decode(HistogramCodec.Encode(histogram));
        Assert.Equal(histogram.RecordedBuckets(), decoded.RecordedBuckets());
        Assert.Equal(histogram.Mean, decoded.Mean, tolerance: histogram.Mean / 1000);
    }

    [Fact]
    public void Decode_reads_zlib_without_a_check_sum_as_HdrHistogram_NET_writes_it()
    {
        byte[] bytes = Convert.FromBase64String(ReferenceVectors.Few)[..^4];
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(4), bytes.Length - HeaderSize);
        Assert.Equal(10, HistogramCodec.Decode(Convert.ToBase64String(bytes)).Count);
    }

    [Theory, MemberData(nameof(Refused))]
    public void Decode_refuses_what_is_no_latency_histogram_in_a_sentence(string base64, string reason) =>
        Assert.Contains(reason, Assert.Throws<FormatException>(() => HistogramCodec.Decode(base64)).Message, StringComparison.OrdinalIgnoreCase);

    [Fact]
    public void Decode_refuses_every_encoding_that_is_cut_off()
    {
        byte[] bytes = Convert.FromBase64String(ReferenceVectors.Few);
        for (int length = 0; length < bytes.Length; length++)
        {
            string cut = Convert.ToBase64String(bytes, 0, length);
            Assert.Throws<FormatException>(() => HistogramCodec.Decode(cut));
        }
    }

    [Fact]
    public void Decode_of_damaged_bytes_ends_with_a_histogram_or_with_a_FormatException()
    {
        byte[] bytes = Convert.FromBase64String(ReferenceVectors.Few);
        var random = new Random(42);
        int refusals = 0;
        for (int round = 0; round < 500; round++)
        {
            byte[] damaged = [.. bytes];
            damaged[random.Next(bytes.Length)] ^= (byte)random.Next(1, 256);
            refusals += Record.Exception(() => HistogramCodec.Decode(Convert.ToBase64String(damaged))) switch
            {
                null => 0,
                FormatException => 1,
                { } other => throw new InvalidOperationException(Convert.ToBase64String(damaged), other),
            };
        }

        Assert.InRange(refusals, 100, 500);
    }

    private static byte[] Plain(
        int cookie = 0x1c849313, int payloadLength = 16, int digits = 3, long lowest = 1, long highest = LatencyHistogram.HighestTrackable)
    {
        byte[] bytes = Convert.FromHexString(ReferenceVectors.FewPlain);
        BinaryPrimitives.WriteInt32BigEndian(bytes, cookie);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(4), payloadLength);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(12), digits);
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(16), lowest);
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(24), highest);
        return bytes;
    }

    private static string Compress(byte[] plain, int? length = null)
    {
        using var bytes = new MemoryStream();
        bytes.Write(Convert.FromHexString("1c84931400000000"));
        using (var zlib = new ZLibStream(bytes, CompressionLevel.Fastest, leaveOpen: true))
        {
            zlib.Write(plain);
        }

        byte[] all = bytes.ToArray();
        BinaryPrimitives.WriteInt32BigEndian(all.AsSpan(4), length ?? all.Length - HeaderSize);
        return Convert.ToBase64String(all);
    }

    private static string Inflate(string base64)
    {
        using var zlib = new ZLibStream(new MemoryStream(Convert.FromBase64String(base64)[HeaderSize..]), CompressionMode.Decompress);
        using var plain = new MemoryStream();
        zlib.CopyTo(plain);
        return Convert.ToHexStringLower(plain.ToArray());
    }
}

public sealed class ZigZagLeb128Tests
{
    /// <summary>By HdrHistogram's definition: 2n for n of 0 and more, -2n - 1 for negative n; then seven bits in each byte and eight in the ninth.</summary>
    [Theory]
    [InlineData(0, "00"), InlineData(-1, "01"), InlineData(1, "02"), InlineData(63, "7e"), InlineData(-64, "7f"), InlineData(64, "8001")]
    [InlineData(-2046, "fb1f"), InlineData(1L << 54, "8080808080808040"), InlineData(1L << 55, "808080808080808001")]
    [InlineData((1L << 56) - 1, "feffffffffffffff01"), InlineData(long.MaxValue, "feffffffffffffffff"), InlineData(long.MinValue, "ffffffffffffffffff")]
    public void Write_and_Read_agree_on_the_bytes(long number, string hex)
    {
        var writer = new ArrayBufferWriter<byte>();
        ZigZagLeb128.Write(writer, number);
        Assert.Equal(hex, Convert.ToHexStringLower(writer.WrittenSpan));
        ReadOnlySpan<byte> rest = [.. writer.WrittenSpan, 0x2a];
        Assert.Equal((number, 1), (ZigZagLeb128.Read(ref rest), rest.Length));
    }
}

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
