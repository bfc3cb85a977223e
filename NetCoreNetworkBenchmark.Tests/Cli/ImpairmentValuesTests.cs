namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class ImpairmentValuesTests
{
    [Theory]
    [InlineData("0", 0), InlineData("0ms", 0), InlineData("500ns", 5), InlineData("20us", 200), InlineData("20µs", 200), InlineData("20μs", 200)]
    [InlineData("5ms", 50_000), InlineData("5MS", 50_000), InlineData("0.1ms", 1_000), InlineData("1.5s", 15_000_000), InlineData("2m", 1_200_000_000)]
    [InlineData("60m", 36_000_000_000)]
    public void Duration_reads_a_time_with_its_unit(string text, long ticks) => Assert.Equal(ticks, OptionValues.Duration("--delay", text).Ticks);

    [Fact]
    public void Duration_refuses_anything_else() => Assert.All(
        (string[])["", "5", "ms", "-5ms", "5 ms", "1,5ms", "5h", "61m", "NaNms", "1e3ms"],
        text => BadInput.Throws($"--delay: \"{text}\" is not a time from 0 to 60m with its unit (ns, us, ms, s or m), such as 5ms.",
        () => OptionValues.Duration("--delay", text)));

    [Theory, InlineData("0", 0), InlineData("0%", 0), InlineData("1%", 0.01), InlineData("0.5%", 0.005), InlineData("100%", 1)]
    public void Fraction_reads_a_percentage(string text, double fraction) => Assert.Equal(fraction, PlanValues.Fraction("--loss", text), 12);

    [Fact]
    public void Percent_writes_each_share_as_Share_reads_it() => Assert.All(
        Enumerable.Range(1, 100).SelectMany(number => (string[])[$"{number}", $"0.{number:000}", $"0.000{number:000}"]),
        percent => Assert.Equal(percent.Contains('.', StringComparison.Ordinal) ? percent.TrimEnd('0') : percent,
            PlanValues.Percent(PlanValues.Fraction("--loss", $"{percent}%"))));

    [Fact]
    public void Share_refuses_anything_else() => Assert.All(
        (string[])["", "00", "0.01", "%", "-1%", "100.1%", "NaN%"],
        text => BadInput.Throws($"--loss: \"{text}\" is not a percentage from 0% to 100%, such as 1% or 0.5%.",
        () => PlanValues.Fraction("--loss", text)));

    [Theory, InlineData("100ms/1s", 100, 1_000), InlineData("0.5s/1m", 500, 60_000)]
    public void Interruption_reads_length_and_period(string text, int length, int period) => Assert.Equal(
        new Interruption(TimeSpan.FromMilliseconds(length), TimeSpan.FromMilliseconds(period)), PlanValues.Interruption("--stall", text));

    [Fact]
    public void Interruption_refuses_anything_else() => Assert.All(
        (string[])["", "100ms", "100ms/", "/1s", "100/1000", "0/1s", "1s/1s", "2s/1s", "100ms/1s/2s"],
        text => BadInput.Throws($"--stall: \"{text}\" is not a length above 0 and a longer period with their units, such as 100ms/1s.",
        () => PlanValues.Interruption("--stall", text)));

    [Theory, InlineData("10mbit", 10_000_000), InlineData("64kbit", 64_000), InlineData("2.5Gbit", 2_500_000_000), InlineData("1000gbit", 1_000_000_000_000)]
    public void Bandwidth_reads_bits_a_second(string text, long bits) => Assert.Equal(bits, PlanValues.Bandwidth("--bandwidth", text));

    [Fact]
    public void Bandwidth_refuses_anything_else() => Assert.All(
        (string[])["", "0", "10", "mbit", "0mbit", "-1mbit", "10mb", "0.9kbit", "1001gbit", "NaNkbit"],
        text => BadInput.Throws($"--bandwidth: \"{text}\" is not a bandwidth from 1kbit to 1000gbit with its unit (kbit, mbit or gbit), such as 10mbit.",
        () => PlanValues.Bandwidth("--bandwidth", text)));
}
