namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>
/// The load of other programs during a sample of the machine (Linux: /proc). A load average would still include programs that ran minutes before, and the
/// kernel's own average of the pressure would include programs that ran ten seconds before. All shares are from 0 to 1.
/// </summary>
/// <param name="Share">The share of the time of all cores that they used.</param>
/// <param name="Waiting">The share of the time in which some program waited for a core; null if the kernel does not count it.</param>
/// <param name="Programs">The programs that used any, the busiest first, each with its share of the time of all cores.</param>
internal sealed record BackgroundLoad(double Share, double? Waiting, IReadOnlyList<BusyProgram> Programs)
{
    /// <summary>The largest share of the CPU time that other programs may take.</summary>
    public const double MostShare = 0.20;

    /// <summary>
    /// The largest share of the time in which programs may wait for a core. Above it, the machine is busy. It finds a case that the share of all cores
    /// does not: a machine with many cores, of which the few that this process may use are taken.
    /// </summary>
    public const double MostWaiting = 0.20;

    /// <summary>The length of a sample: 25 of the ticks in which Linux counts the time of a core.</summary>
    public static readonly TimeSpan SampleLength = TimeSpan.FromMilliseconds(250);

    public static async Task<BackgroundLoad?> SampleAsync(CancellationToken cancellationToken)
    {
        if (MachineSnapshot.Read() is not { } before)
        {
            return null;
        }

        await Task.Delay(SampleLength, cancellationToken).ConfigureAwait(false);
        return MachineSnapshot.Read() is { } after ? Between(before, after, Environment.ProcessId) : null;
    }

    /// <param name="own">The process whose time does not count as that of others.</param>
    public static BackgroundLoad? Between(MachineSnapshot before, MachineSnapshot after, int own)
    {
        if (MachineTime.Between(before.Machine, after.Machine) is not { } use)
        {
            return null;
        }

        double total = after.Machine.Total - before.Machine.Total;
        BusyProgram[] programs =
        [
            .. from program in after.Programs
               let share = (program.Value.Ticks - TicksBefore(program.Key, program.Value, before)) / total
               where share > 0
               orderby share descending, program.Key
               select new BusyProgram(program.Value.Name, program.Key, Math.Min(1, share)),
        ];
        double ours = Array.Find(programs, program => program.Process == own)?.Share ?? 0;
        return new BackgroundLoad(
            Math.Max(0, use.BusyShare - ours),
            after.Waited - before.Waited is { } waited ? Math.Clamp(waited / (after.At - before.At), 0, 1) : null,
            [.. programs.Where(program => program.Process != own)]);
    }

    /// <summary>Returns the sentence for the user if the machine is too busy; otherwise, null.</summary>
    public string? Warning()
    {
        string? reason = Share > MostShare
            ? Invariant($"other programs took {Share:P0} of the CPU time")
            : Waiting > MostWaiting ? Invariant($"programs waited for a core in {Waiting:P0} of the time") : null;
        string busiest = Programs.Count == 0
            ? string.Empty
            : Invariant($"; the busiest is '{Programs[0].Name}' (process {Programs[0].Process}) with {Programs[0].Share:P0}");
        return reason is null ? null : Invariant($"The machine is busy: {reason} just now{busiest}.");
    }

    // A process that started since then, even with the number of one that ended, has used all of its time since then.
    private static long TicksBefore(int process, ProgramTime now, MachineSnapshot before) =>
        before.Programs.TryGetValue(process, out ProgramTime? then) && then.Ticks <= now.Ticks ? then.Ticks : 0;

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <param name="Share">The share (0 to 1) of the time of all cores that it used.</param>
internal sealed record BusyProgram(string Name, int Process, double Share);
