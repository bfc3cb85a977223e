using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Results with numbers that show every kind of rounding and grouping. None of them was measured.</summary>
internal static class SampleResults
{
    public static RunResult Valid { get; } = new()
    {
        HarnessVersion = "1.2.3",
        Library = "ENet",
        LibraryVersion = "1.3.17",
        Protocol = "Udp",
        Transmission = "Unreliable",
        Test = "PingPong",
        Address = "127.0.0.1",
        Port = 3333,
        Clients = 1000,
        ParallelMessages = 1,
        MessageSize = 32,
        MessageLoad = "Ones",
        StartedAt = new DateTimeOffset(2026, 11, 21, 8, 5, 9, TimeSpan.Zero),
        WarmUpSeconds = 1,
        DefinedDurationSeconds = 60,
        DurationSeconds = 60.00432,
        Messages = new MessageTotals(1_584_735, 1_585_734, 1_585_734, 1_584_735),
        Lost = 0,
        Duplicated = 0,
        Reordered = 0,
        Corrupted = 0,
        Errors = 0,
        ErrorsByName = new SortedDictionary<string, long>(),
        Totals = new RunTotals(1_600_000, 1_600_000, 0, 0),
        MessagesPerSecond = 26_410.348455,
        MegabytesPerSecond = 0.80598,
        LatencyMicroseconds = new LatencySummary(37_864.1234, 36_000.767, 41_123.839, 55_001.087, 70_123.519, 80_000.511, 1_234_567.891),
        AllocatedBytesPerMessage = 0.015625,
        Valid = true,
        InvalidReasons = [],
        Aborted = false,
        Environment = new EnvironmentInfo
        {
            Os = "Debian GNU/Linux 12 (bookworm)",
            Kernel = "Unix 6.1.0.0",
            Cpu = "Intel(R) Core(TM) i5-3570K CPU @ 3.40GHz",
            Cores = 4,
            Mainboard = "ASRock Z77 Pro4",
            MemoryBytes = 16_777_216_000,
            Architecture = "X64",
            Framework = ".NET 10.0.0",
            GarbageCollector = "Workstation, concurrent",
            IsDebugBuild = false,
            SocketReceiveBufferLimit = 212_992,
            DescriptorLimit = 1_048_576,
            RuntimeSettings = new SortedDictionary<string, string> { ["DOTNET_TieredPGO"] = "0" },
        },
        Command = "NetCoreNetworkBenchmark --test PingPong --library ENet",
    };

    public static RunResult Invalid { get; } = Valid with
    {
        Library = "Sockets",
        LibraryVersion = "10.0.0",
        Lost = 1_234,
        Duplicated = 2,
        Reordered = 3,
        Corrupted = 4,
        Errors = 1_005,
        ErrorsByName = new SortedDictionary<string, long> { ["ConnectionReset"] = 1_000, ["client lost its server"] = 5 },
        LatencyMicroseconds = null,
        Valid = false,
        InvalidReasons = ["1,234 messages were lost in a closed loop, so fewer were in flight than asked for."],
    };

    public static SuiteResult Suite { get; } = new()
    {
        HarnessVersion = "1.2.3",
        StartedAt = Valid.StartedAt,
        Environment = Valid.Environment,
        Benchmarks =
        [
            new BenchmarkResult("Benchmark 1", [new LibraryRun("ENet", Valid, null), new LibraryRun("Sockets", Invalid, Invalid.InvalidReasons[0])]),
            new BenchmarkResult("Benchmark 2", [new LibraryRun("ENet", null, "It hung past its deadline of 46 s and was ended.")]),
        ],
        Missing = [new MissingLibrary("LiteNetLib", "package LiteNetLib 2.1.3 could not be restored when this was built (NU1101)")],
        Aborted = true,
        Command = "NetCoreNetworkBenchmark --benchmark",
    };
}
