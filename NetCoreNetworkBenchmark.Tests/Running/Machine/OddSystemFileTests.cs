using NetCoreNetworkBenchmark.Workloads.Handshakes;

namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

/// <summary>Files of /proc and /sys with odd content, as in some containers: their values are unknown.</summary>
public sealed class OddSystemFileTests : InTemporaryFolder
{
    private const string AllCores = "cpu  10 0 5 400 20 0 1 4 0 0";

    [Theory]
    [InlineData("")]
    [InlineData("\n")]
    [InlineData("cpu")]
    [InlineData("cpu \ncpu0")]
    [InlineData("cpu  1 2 3 4 5 6 7")]
    [InlineData("cpu  1 2 3 11732815868058135187 5 6 7 8")]
    [InlineData("cpu  1 2 3 9223372036854775807 9223372036854775807 6 7 8")]
    [InlineData("cpu  1 2 3 -4 5 6 7 8")]
    [InlineData("cpu  1 2 3 x 5 6 7 8")]
    [InlineData("intr 1 2 3 4 5 6 7 8 9")]
    public void Parse_of_a_machine_time_is_null_without_counters(string text) => Assert.Null(MachineTime.Parse(text.Split('\n')));

    [Theory, InlineData(AllCores + "\ncpu0 1 2\ncpu1 1 2\nintr 3"), InlineData("\n" + AllCores + "\ncpu0 1 2\ncpu1 1 2\nintr 3")]
    public void Parse_of_a_machine_time_skips_blank_lines(string text) =>
        Assert.Equal(new MachineTime(440, 420, 4, 2), MachineTime.Parse(text.Split('\n')));

    [Theory, InlineData(900, 400, 10), InlineData(2_000, 399, 10), InlineData(2_000, 400, 9)]
    public void Between_is_null_when_a_counter_falls(long total, long idle, long steal) =>
        Assert.Null(MachineTime.Between(new MachineTime(1_000, 400, 10, 4), new MachineTime(total, idle, steal, 4)));

    [Fact]
    public void A_time_of_waiting_that_falls_is_unknown()
    {
        var before = new MachineSnapshot(TimeSpan.Zero, new MachineTime(1_000, 400, 10, 4), TimeSpan.FromSeconds(2), new Dictionary<int, ProgramTime>());
        MachineSnapshot after = before with
        {
            At = TimeSpan.FromSeconds(1),
            Machine = new MachineTime(2_000, 500, 10, 4),
            Waited = TimeSpan.FromSeconds(1),
        };
        Assert.Null(BackgroundLoad.Between(before, after, own: 1)!.Waiting);
    }

    [Theory, InlineData("some total=9223372036854775807"), InlineData("some total=-1"), InlineData("some total=")]
    public void A_pressure_that_is_no_time_is_unknown(string line) => Assert.Null(MachineSnapshot.ParsePressure(line));

    [Theory]
    [InlineData("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18")]
    [InlineData("1 )sh( R 1 5 5 0 -1 4194304 100 0 0 0 1 2 9 9 20")]
    [InlineData("1 (sh) R 1 5 5 0 -1 4194304 100 0 0 0 -1 2 9 9 20")]
    [InlineData("1 (sh) R 1 5 5 0 -1 4194304 100 0 0 0 11732815868058135187 2 9 9 20")]
    public void A_process_without_a_name_or_times_is_none(string text) => Assert.Null(ProgramTime.Parse(Encoding.UTF8.GetBytes(text)));

    [Theory]
    [InlineData("500000 3000 7", 30)]
    [InlineData("0 0 0", null)]
    [InlineData("500000", null)]
    [InlineData("500000 ", null)]
    [InlineData("500000 -3000 7", null)]
    [InlineData("500000 11732815868058135187 7", null)]
    [InlineData("", null)]
    public void ParseQueued_is_null_when_nothing_is_counted(string text, int? ticks) =>
        Assert.Equal(ticks, (int?)StopDetector.ParseQueued(Encoding.UTF8.GetBytes(text))?.Ticks);

    [Theory]
    [InlineData("TcpExt: A ListenOverflows\nTcpExt: 1 5", 5)]
    [InlineData("TcpExt: A ListenOverflows\nTcpExt: 1", null)]
    [InlineData("TcpExt: A ListenOverflows\nTcpExt: 1 11732815868058135187", null)]
    [InlineData("TcpExt: A ListenOverflows", null)]
    [InlineData("", null)]
    public void Overflows_are_unknown_without_a_number(string text, int? overflows) => Assert.Equal(overflows, (int?)AcceptQueue.Parse(text.Split('\n')));

    [Theory, InlineData("60999 32768"), InlineData("0 2147483647"), InlineData("-5 7"), InlineData("32768"), InlineData("")]
    public void CountOf_takes_a_range_that_is_none_for_all_ports(string range) => Assert.InRange(LocalPorts.CountOf(range, string.Empty), 1, 65_536);

    [Theory, InlineData("9223372036854775807"), InlineData("11732815868058135187"), InlineData("-1"), InlineData("x"), InlineData("")]
    public void NumberOf_is_null_when_the_number_is_too_large_for_its_unit(string text) => Assert.Null(SystemFiles.NumberOf(text, 1024));

    [Fact]
    public void ReadLine_returns_the_first_line_with_text_and_ValueOf_an_empty_value()
    {
        File.WriteAllText(PathOf("file"), "\n  \n text \nkey:\n");
        Assert.Equal("text", SystemFiles.ReadLine(PathOf("file")));
        Assert.Equal(string.Empty, SystemFiles.ValueOf(PathOf("file"), "key", ':'));
        File.WriteAllText(PathOf("file"), "\n");
        Assert.Null(SystemFiles.ReadLine(PathOf("file")));
        Assert.Null(SystemFiles.TryOpen(PathOf("absent")));
    }
}
