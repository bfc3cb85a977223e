using System.Buffers;

namespace NetCoreNetworkBenchmark.Tests.Histograms;

public sealed class ZigZagLeb128Tests
{
    /// <summary>By HdrHistogram's definition: 2n for n of 0 and more, -2n - 1 for negative n; then seven bits in each byte and eight in the ninth.</summary>
    [Theory]
    [InlineData(0, "00")]
    [InlineData(-1, "01")]
    [InlineData(1, "02")]
    [InlineData(63, "7e")]
    [InlineData(-64, "7f")]
    [InlineData(64, "8001")]
    [InlineData(-2046, "fb1f")]
    [InlineData(1L << 54, "8080808080808040")]
    [InlineData(1L << 55, "808080808080808001")]
    [InlineData((1L << 56) - 1, "feffffffffffffff01")]
    [InlineData(long.MaxValue, "feffffffffffffffff")]
    [InlineData(long.MinValue, "ffffffffffffffffff")]
    public void Write_and_Read_agree_on_the_bytes(long number, string hex)
    {
        var writer = new ArrayBufferWriter<byte>();
        ZigZagLeb128.Write(writer, number);
        Assert.Equal(hex, Convert.ToHexStringLower(writer.WrittenSpan));
        ReadOnlySpan<byte> rest = [.. writer.WrittenSpan, 0x2a];
        Assert.Equal(number, ZigZagLeb128.Read(ref rest));
        Assert.Equal(1, rest.Length);
    }
}
