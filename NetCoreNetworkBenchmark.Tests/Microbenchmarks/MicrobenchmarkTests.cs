using BenchmarkDotNet.Attributes;
using NetCoreNetworkBenchmark.Microbenchmarks;
using NetCoreNetworkBenchmark.Running.Discovery;

namespace NetCoreNetworkBenchmark.Tests.Microbenchmarks;

/// <summary>Every benchmark performs the operations that it claims to measure. Its speed is not tested here.</summary>
public sealed class MicrobenchmarkTests
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
    public async Task MemoryLibrary_makes_exactly_the_round_trips_of_an_invocation()
    {
        await using var memory = new MemoryLibrary();
        await memory.SetUpAsync();
        int operations = OperationsOf<MemoryLibrary>(nameof(MemoryLibrary.RoundTrip));
        Assert.Equal((operations, 2 * operations, 3 * operations), (memory.RoundTrip(), memory.RoundTrip(), memory.RoundTrip()));
    }

    // BenchmarkDotNet runs only the listed classes; a class that is missing in the list would not be noticed.
    [Fact]
    public void Every_class_with_benchmarks_is_run() => Assert.Equal(
        typeof(Catalog).Assembly.GetTypes().Where(type => type.GetMethods().Any(method => method.IsDefined(typeof(BenchmarkAttribute), inherit: false)))
            .Select(type => type.Name).Order(StringComparer.Ordinal),
        MicrobenchmarkRun.Benchmarks.Select(type => type.Name).Order(StringComparer.Ordinal));

    private static int OperationsOf<T>(string benchmark) =>
        typeof(T).GetMethod(benchmark)!.GetCustomAttributes(inherit: false).OfType<BenchmarkAttribute>().Single().OperationsPerInvoke;
}
