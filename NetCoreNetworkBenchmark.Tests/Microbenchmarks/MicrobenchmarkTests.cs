using NetCoreNetworkBenchmark.Microbenchmarks;

namespace NetCoreNetworkBenchmark.Tests.Microbenchmarks;

/// <summary>Every benchmark performs the operations that it claims to measure. Its speed is not tested here.</summary>
public sealed class MicrobenchmarkTests : InTemporaryFolder
{
    [Fact]
    public void Clock_reads_a_later_time_each_time()
    {
        var clock = new Clock();
        Assert.InRange(clock.Read(), 1, clock.Read());
    }

    [Fact]
    public void Recording_records_each_latency()
    {
        var recording = new HistogramRecording();
        Assert.Equal(
            (OperationsOf<HistogramRecording>(nameof(HistogramRecording.Record)), 2 * OperationsOf<HistogramRecording>(nameof(HistogramRecording.Record))),
            (recording.Record(), recording.Record()));
    }

    [Fact]
    public void Tag_stamps_each_message_and_finds_each_right()
    {
        var tag = new Tag();
        Assert.Equal((uint)OperationsOf<Tag>(nameof(Tag.Stamp)), tag.Stamp());
        Assert.Equal(OperationsOf<Tag>(nameof(Tag.Check)), tag.Check());
    }

    [Fact]
    public void Counters_count_each_message() => Assert.Equal(OperationsOf<Counters>(nameof(Counters.Count)), new Counters().Count());

    [Fact]
    public void MessagePath_accepts_each_answer_of_both_loops()
    {
        var path = new MessagePath();
        int operations = OperationsOf<MessagePath>(nameof(MessagePath.ClosedLoop));
        Assert.Equal((operations, 2 * operations), (path.ClosedLoop(), path.ClosedLoop()));
        Assert.Equal((operations, 2 * operations), (path.OpenLoop(), path.OpenLoop()));
    }

    [Fact]
    public void MemoryLibrary_makes_exactly_the_round_trips_of_an_invocation()
    {
        using var memory = new MemoryLibrary();
        int operations = OperationsOf<MemoryLibrary>(nameof(MemoryLibrary.RoundTrip));
        Assert.Equal((operations, 2 * operations, 3 * operations), (memory.RoundTrip(), memory.RoundTrip(), memory.RoundTrip()));
    }

    [Fact]
    public async Task The_program_measures_each_benchmark_with_its_allocations()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunAssemblyAsync(
            typeof(Clock).Assembly.Location, "--filter", "*", "--job", "Dry", "--inProcess", "--artifacts", Folder.FullName);
        Assert.Equal((0, string.Empty), (exitCode, errors));
        string[] rows =
        [
            "Clock Read", "Counters Count", "HistogramRecording Record", "MemoryLibrary RoundTrip", "MessagePath ClosedLoop", "MessagePath OpenLoop",
            "Tag Check", "Tag Stamp",
        ];
        Assert.Matches(@"\| Type +\| Method +\| .*Mean +\| .*Allocated \|", output);
        Assert.Equal(
            rows,
            Regex.Matches(output, @"^\| (\w+) +\| (\w+) +\| .*[0-9.,]+ [nμm]s \|", RegexOptions.Multiline).Select(row => $"{row.Groups[1]} {row.Groups[2]}")
                .Order(StringComparer.Ordinal));
    }

    // The attribute's type is not visible here (see the project's file).
    private static int OperationsOf<T>(string benchmark) => (int)typeof(T).GetMethod(benchmark)!.GetCustomAttributesData()
        .Single(attribute => attribute.AttributeType.Name == "BenchmarkAttribute").NamedArguments
        .Single(argument => argument.MemberName == "OperationsPerInvoke").TypedValue.Value!;
}
