namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

public sealed class BackgroundLoadTests
{
    private const int Own = 7;

    private static readonly MachineSnapshot s_before = Reading(0, new MachineTime(1000, 400, 10, 4), 0, (Own, "ours", 100), (20, "old", 500), (21, "gone", 5));

    [Theory]
    [InlineData("1234 (sh) R 1 1234 1234 0 -1 4194304 100 0 0 0 25 17 0 0 20 0 1 0 99 1 1", "sh", 42)]
    [InlineData("5 (a (b) c) S 1 5 5 0 -1 4194304 100 0 0 0 1 2 9 9 20 0 1 0 99 1 1", "a (b) c", 3)]
    [InlineData("5 (bad\u001b[2J\u202e\nname) S 1 5 5 0 -1 4194304 100 0 0 0 1 2 9 9 20 0 1 0 99 1 1", "bad?[2J??name", 3)]
    public void A_process_has_a_printable_name_and_its_ticks(string text, string name, long ticks) =>
        Assert.Equal(new ProgramTime(name, ticks), ProgramTime.Parse(text));

    [Theory]
    [InlineData("")]
    [InlineData("5 (cut off")]
    [InlineData("5 (sh) R 1 2")]
    [InlineData("5 (sh) S 1 5 5 0 -1 4194304 100 0 0 0 x y 9 9 20")]
    public void A_process_that_cannot_be_read_is_none(string text) => Assert.Null(ProgramTime.Parse(text));

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
        var plan = new RunPlan { Library = "Memory" };
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
        DirectoryInfo folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-");
        string name = "busy\u001b" + Environment.ProcessId;
        string shell = Path.Combine(folder.FullName, name);
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
            folder.Delete(recursive: true);
        }
    }

    private static bool IsOfABusyMachine(string warning) => warning.StartsWith("The machine is busy", StringComparison.Ordinal);

    private static MachineSnapshot Reading(double seconds, MachineTime machine, double waited, params (int Process, string Name, long Ticks)[] programs) => new(
        TimeSpan.FromSeconds(seconds),
        machine,
        TimeSpan.FromSeconds(waited),
        programs.ToDictionary(program => program.Process, program => new ProgramTime(program.Name, program.Ticks)));
}
