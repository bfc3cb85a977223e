namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

public sealed class BackgroundLoadTests : InTemporaryFolder
{
    private const int Own = 7;

    private static readonly MachineSnapshot s_before = Reading(0, new MachineTime(1000, 400, 10, 4), 0, (Own, "ours", 100), (20, "old", 500), (21, "gone", 5));

    [Theory]
    [InlineData("1234 (sh) R 1 1234 1234 0 -1 4194304 100 0 0 0 25 17 0 0 20 0 1 0 99 1 1", "sh", 42)]
    [InlineData("5 (a (b) c) S 1 5 5 0 -1 4194304 100 0 0 0 1 2 9 9 20 0 1 0 99 1 1", "a (b) c", 3)]
    [InlineData("5 (bad\u001b[2J\u202e\nname) S 1 5 5 0 -1 4194304 100 0 0 0 1 2 9 9 20 0 1 0 99 1 1", "bad?[2J??name", 3)]
    public void A_process_has_a_printable_name_and_its_ticks(string text, string name, long ticks) =>
        Assert.Equal(new ProgramTime(name, ticks), ProgramTime.Parse(Encoding.UTF8.GetBytes(text)));

    [Theory, InlineData(""), InlineData("5 (cut off"), InlineData("5 (sh) R 1 2"), InlineData("5 (sh) S 1 5 5 0 -1 4194304 100 0 0 0 x y 9 9 20")]
    public void A_process_that_cannot_be_read_is_none(string text) => Assert.Null(ProgramTime.Parse(Encoding.UTF8.GetBytes(text)));

    [Theory]
    [InlineData("some avg10=99.83 avg60=99.83 avg300=80.32 total=484158752", 484_158_752L)]
    [InlineData("full avg10=0.00 avg60=0.00 avg300=0.00 total=3", null)]
    [InlineData("some avg10=0.00", null)]
    public void The_pressure_is_the_counter_and_no_average(string line, long? microseconds) =>
        Assert.Equal(microseconds, (long?)MachineSnapshot.ParsePressure(line)?.TotalMicroseconds);

    [Fact]
    public void The_time_of_others_is_what_was_busy_less_our_own()
    {
        // Of 100 ticks, 30 were idle and 10 stolen: 60 were busy, 20 of them of this process.
        BackgroundLoad load = BackgroundLoad.Between(
            s_before, Reading(1, new MachineTime(1100, 430, 20, 4), 0.25, (Own, "ours", 120), (20, "old", 510), (22, "new", 30)), Own)!;
        Assert.Equal(0.4, load.Share, tolerance: 1e-9);
        Assert.Equal(0.25, load.Waiting!.Value, tolerance: 1e-9);
        Assert.Equal([new BusyProgram("new", 22, 0.3), new BusyProgram("old", 20, 0.1)], load.Programs);
        Assert.Equal("The machine is busy: other programs took 40 % of the CPU time just now; the busiest is 'new' (process 22) with 30 %.", load.Warning());
    }

    [Fact]
    public void A_number_that_another_process_has_now_counts_from_its_start()
    {
        BackgroundLoad load = BackgroundLoad.Between(s_before, Reading(1, new MachineTime(1100, 500, 10, 4), 0, (20, "another", 40)), Own)!;
        Assert.Equal([new BusyProgram("another", 20, 0.4)], load.Programs);
    }

    [Theory]
    [InlineData(0.2, 0.2, null)]
    [InlineData(0.21, 0.0, "The machine is busy: other programs took 21 % of the CPU time just now.")]
    [InlineData(0.21, null, "The machine is busy: other programs took 21 % of the CPU time just now.")]
    [InlineData(0.0, 0.21, "The machine is busy: programs waited for a core in 21 % of the time just now.")]
    public void The_machine_is_busy_from_a_fifth_on(double share, double? waiting, string? sentence) =>
        Assert.Equal(sentence, new BackgroundLoad(share, waiting, []).Warning());

    [Fact]
    public void Without_time_between_them_two_readings_say_nothing() => Assert.Null(BackgroundLoad.Between(s_before, s_before, Own));

    [Fact]
    public void The_warning_is_of_now_and_the_load_average_is_only_recorded()
    {
        var plan = new RunPlan { Library = SampleLibrary.Name };
        Assert.DoesNotContain(FitnessInspector.Inspect(plan).Warnings, IsOfABusyMachine);
        Assert.DoesNotContain(FitnessInspector.Inspect(plan, new BackgroundLoad(0, 0, [])).Warnings, IsOfABusyMachine);
        Fitness busy = FitnessInspector.Inspect(plan, new BackgroundLoad(0.5, 0.5, [new BusyProgram("stress", 3, 0.5)]));
        Assert.Contains(
            "The machine is busy: other programs took 50 % of the CPU time just now; the busiest is 'stress' (process 3) with 50 %.", busy.Warnings);
        Assert.Equal(OperatingSystem.IsLinux(), busy.LoadAverage is not null);
    }

    [Fact]
    public async Task LookAsync_names_a_busy_program()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has /proc.");
        string name = "busy\u001b" + Environment.ProcessId;
        string shell = PathOf(name);
        File.Copy("/bin/sh", shell);

        // The process ends by itself if it is not ended.
        using Process busy = Process.Start(shell, ["-c", "i=0; while [ $i -lt 300000000 ]; do i=$((i+1)); done"]);
        try
        {
            BackgroundLoad? load = null;
            using var deadline = new CancellationTokenSource(LibraryUnderTest.Deadline);
            while (load?.Programs.Any(program => program.Process == busy.Id) != true)
            {
                load = await BackgroundLoad.SampleAsync(deadline.Token);
                Assert.NotNull(load);
            }

            BusyProgram program = Assert.Single(load.Programs, program => program.Process == busy.Id);
            Assert.Equal(name.Replace('\u001b', '?'), program.Name);
            Assert.InRange(program.Share, 0.001, 1);
            Assert.InRange(load.Share, 0, 1);
        }
        finally
        {
            busy.Kill();
            await busy.WaitForExitAsync(TestContext.Current.CancellationToken);
        }
    }

    private static bool IsOfABusyMachine(string warning) => warning.StartsWith("The machine is busy", StringComparison.Ordinal);

    private static MachineSnapshot Reading(double seconds, MachineTime machine, double waited, params (int Process, string Name, long Ticks)[] programs) => new(
        TimeSpan.FromSeconds(seconds),
        machine,
        TimeSpan.FromSeconds(waited),
        programs.ToDictionary(program => program.Process, program => new ProgramTime(program.Name, program.Ticks)));
}

public sealed class MachineTimeTests
{
    [Fact]
    public void Between_gives_the_shares_of_the_time_that_passed()
    {
        MachineUse use = MachineTime.Between(new MachineTime(1000, 400, 10, 4), new MachineTime(2000, 600, 60, 4))!;
        Assert.Equal(0.05, use.StealShare, tolerance: 1e-9);
        Assert.Equal(0.75, use.BusyShare, tolerance: 1e-9);
        Assert.Equal(4, use.Cores);
    }

    [Fact]
    public void Between_is_null_when_the_system_has_no_counters_or_no_time_has_passed()
    {
        var time = new MachineTime(1000, 400, 10, 4);
        Assert.Null(MachineTime.Between(null, time));
        Assert.Null(MachineTime.Between(time, null));
        Assert.Null(MachineTime.Between(time, time));
    }

    [Fact]
    public void Read_returns_the_counters_of_Linux()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has /proc/stat.");
        MachineTime time = MachineTime.Read()!;
        Assert.InRange(time.Idle + time.Steal, 0, time.Total);
        Assert.InRange(time.Total, 1, long.MaxValue);
        Assert.InRange(time.Cores, Environment.ProcessorCount, int.MaxValue);
    }
}

public sealed class ClockWatchTests
{
    [Theory, InlineData(0), InlineData(3_600), InlineData(-0.25)]
    public void Step_is_the_time_by_which_the_clock_was_set(double seconds)
    {
        var clocks = new Clocks();
        var watch = new ClockWatch(clocks);
        clocks.Passed = TimeSpan.FromSeconds(10);
        clocks.Set = TimeSpan.FromSeconds(seconds);
        Assert.Equal(clocks.Set, watch.Step);
    }

    [Fact]
    public void SinceBoot_runs_as_fast_as_the_clock_of_NET()
    {
        long start = Stopwatch.GetTimestamp();
        TimeSpan before = SysTime.SinceBoot();
        Assert.True(SpinWait.SpinUntil(() => SysTime.SinceBoot() - before > TimeSpan.FromMilliseconds(5), TimeSpan.FromSeconds(10)));
        TimeSpan passed = SysTime.SinceBoot() - before;
        Assert.InRange(passed, TimeSpan.FromMilliseconds(5), Stopwatch.GetElapsedTime(start) + TimeSpan.FromMilliseconds(1));
    }

    private sealed class Clocks : TimeProvider
    {
        public TimeSpan Passed { get; set; }
        public TimeSpan Set { get; set; }

        public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch + Passed + Set;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Passed.Ticks;
    }
}

public sealed class StopDetectorTests
{
    [Theory]
    [InlineData(2_000, 0.0, 0, 2_000)]
    [InlineData(2_000, 300.0, 200, 1_500)]
    [InlineData(100, 0.0, 0, 0)]
    [InlineData(101, 0.0, 0, 101)]
    [InlineData(2_000, 1_950.0, 0, 0)]
    [InlineData(2_000, 0.0, 1_950, 0)]
    [InlineData(1_000, null, 0, 0)]
    [InlineData(2_000, null, 0, 2_000)]
    [InlineData(-15, 0.0, 0, 0)]
    public void StoppedIn_returns_a_long_delay_that_neither_other_threads_nor_the_garbage_collector_explain(
        int late, double? queued, int paused, int stopped) => Assert.Equal(TimeSpan.FromMilliseconds(stopped),
            StopDetector.StoppedIn(
                TimeSpan.FromMilliseconds(late), queued is { } time ? TimeSpan.FromMilliseconds(time) : null, TimeSpan.FromMilliseconds(paused)));
}

/// <summary>The address that a run uses, for the addresses that the system returns for a name.</summary>
public sealed class HostNamesTests
{
    private static readonly LibraryInfo s_both = new() { Name = "Both", Version = "1.0", Protocols = [Protocol.Udp], Transmissions = [] };
    private static readonly LibraryInfo s_old = s_both with { Name = "Old", Addresses = AddressSupport.IPv4 };
    private static readonly RunPlan s_plan = new() { Library = "Both", Address = "host", Port = 5 };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("not an address", "\"not an address\" is not an IP address or a host name that can be resolved")]
    [InlineData("300.300.300.300", "\"300.300.300.300\" is not an IP address or a host name that can be resolved")]
    [InlineData("fe80::1", "the link-local address fe80::1 requires an interface. Append it, such as fe80::1%eth0.")]
    [InlineData("fe80::1%nosuch", "fe80::1%nosuch names no interface of this machine. Use ")]
    public async Task ResolveAsync_refuses_what_is_no_address_or_name_and_a_link_local_address_without_an_interface(string address, string sentence)
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => HostNames.ResolveAsync(s_plan with { Address = address }, s_both, Token));
        Assert.True(exception.IsBadInput);
        Assert.StartsWith($"--address: {sentence}", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ResolveAsync_resolves_names()
    {
        IPEndPoint endPoint = await HostNames.ResolveAsync(s_plan with { Address = "localhost" }, s_both, Token);
        Assert.True(IPAddress.IsLoopback(endPoint.Address));
        Assert.Equal(5, endPoint.Port);
    }

    [Theory, InlineData("127.0.0.1"), InlineData("::1")]
    public async Task An_address_is_taken_as_it_is(string address) => Assert.Equal(
        new IPEndPoint(IPAddress.Parse(address), 5), await HostNames.ResolveAsync(s_plan with { Address = address }, s_both, Token));

    [Theory, InlineData("::1", "127.0.0.1"), InlineData("127.0.0.1", "::1"), InlineData("::1")]
    public async Task The_systems_order_is_kept(params string[] addresses) => Assert.Equal(addresses, await ResolveAsync(s_both, addresses));

    [Fact]
    public async Task A_library_without_IPv6_gets_the_IPv4_addresses_of_a_name() => Assert.Equal(
        ["127.0.0.1", "127.0.0.2"], await ResolveAsync(s_old, "::1", "127.0.0.1", "127.0.0.2"));

    [Fact]
    public async Task A_name_without_IPv4_is_refused_for_a_library_without_IPv6()
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => ResolveAsync(s_old, "::1"));
        Assert.True(exception.IsBadInput);
        Assert.Equal("--address: Old has no IPv6, and host has IPv6 addresses only. Use an IPv4 address, such as 127.0.0.1.", exception.Message);
    }

    [Fact]
    public async Task A_name_without_addresses_is_refused()
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => ResolveAsync(s_both));
        Assert.True(exception.IsBadInput);
        Assert.IsType<SocketException>(exception.InnerException);
    }

    private static async Task<IEnumerable<string>> ResolveAsync(LibraryInfo library, params string[] addresses)
    {
        IReadOnlyList<IPEndPoint> endPoints = await HostNames.ResolveAllAsync(
            s_plan, library, (_, _) => Task.FromResult(addresses.Select(IPAddress.Parse).ToArray()), Token);
        Assert.All(endPoints, endPoint => Assert.Equal(s_plan.Port, endPoint.Port));
        return endPoints.Select(endPoint => endPoint.Address.ToString());
    }
}
