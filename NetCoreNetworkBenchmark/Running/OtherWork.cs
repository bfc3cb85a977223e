using System.Globalization;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>What other programs did during a look at the machine. All shares are from 0 to 1.</summary>
/// <param name="Share">The share of the time of all cores that they took.</param>
/// <param name="Waiting">The share of the time in which some program waited for a core; null where the kernel does not count it.</param>
/// <param name="Programs">Those that took any, the busiest first, each with its share of the time of all cores.</param>
internal sealed record OtherWork(double Share, double? Waiting, IReadOnlyList<BusyProgram> Programs)
{
    /// <summary>
    /// From this share of the time on in which programs wait for a core, the machine is busy. It finds what the share of all cores does not: many
    /// cores of which the few that this process may use are taken.
    /// </summary>
    public const double MostWaiting = 0.20;

    /// <summary>What happened between two readings of a machine.</summary>
    /// <param name="before">The first.</param>
    /// <param name="after">The second.</param>
    /// <param name="own">The process whose time is not that of others.</param>
    /// <returns>What happened; null where no time has passed.</returns>
    public static OtherWork? Between(MachineReading before, MachineReading after, int own)
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
        return new OtherWork(
            Math.Max(0, use.BusyShare - ours),
            after.Waited - before.Waited is { } waited ? Math.Clamp(waited / (after.At - before.At), 0, 1) : null,
            [.. programs.Where(program => program.Process != own)]);
    }

    /// <summary>The sentence for the user where the machine is too busy; otherwise null.</summary>
    public string? Warning()
    {
        string? found = Share > Validity.MostOther
            ? Invariant($"other programs took {Share:P0} of the CPU time")
            : Waiting > MostWaiting ? Invariant($"programs waited for a core in {Waiting:P0} of the time") : null;
        string busiest = Programs.Count == 0 ? string.Empty : Invariant($"; the busiest is '{Programs[0].Name}' (process {Programs[0].Process}) with {Programs[0].Share:P0}");
        return found is null ? null : Invariant($"The machine is busy: {found} just now{busiest}.");
    }

    // One that came since then, also with the number of one that ended, has used all of its time since then.
    private static long TicksBefore(int process, ProgramTime now, MachineReading before) =>
        before.Programs.TryGetValue(process, out ProgramTime? then) && then.Ticks <= now.Ticks ? then.Ticks : 0;

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>A program that was busy during a look.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Process">Its process's number.</param>
/// <param name="Share">The share (0 to 1) of the time of all cores that it took.</param>
internal sealed record BusyProgram(string Name, int Process, double Share);
