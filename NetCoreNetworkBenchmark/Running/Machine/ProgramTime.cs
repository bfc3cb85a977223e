namespace NetCoreNetworkBenchmark.Running.Machine;

/// <param name="Name">The name of the process, without characters that a terminal would obey.</param>
/// <param name="Ticks">The time in user and kernel mode, in the ticks of /proc/stat.</param>
internal sealed record ProgramTime(string Name, long Ticks)
{
    // Counted from the field behind the name: state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime.
    private const int UserField = 11;
    private const int SystemField = 12;

    /// <summary>Reads all visible processes. Processes that end meanwhile are left out.</summary>
    public static IReadOnlyDictionary<int, ProgramTime> ReadAll()
    {
        var programs = new Dictionary<int, ProgramTime>();
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out int process)
                && MachineInspector.ReadText(Path.Combine(folder, "stat")) is { } text
                && Parse(text) is { } program)
            {
                programs[process] = program;
            }
        }

        return programs;
    }

    /// <summary>
    /// Parses the content of a file /proc/PID/stat (proc(5)). The name is in brackets, and may itself contain brackets, spaces and line ends.
    /// </summary>
    public static ProgramTime? Parse(string text)
    {
        int from = text.IndexOf('(', StringComparison.Ordinal);
        int to = text.LastIndexOf(')');
        if (from < 0 || to <= from)
        {
            return null;
        }

        string[] fields = text[(to + 1)..].Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        return fields.Length > SystemField
            && long.TryParse(fields[UserField], CultureInfo.InvariantCulture, out long user)
            && long.TryParse(fields[SystemField], CultureInfo.InvariantCulture, out long system)
            ? new ProgramTime(Printable(text[(from + 1)..to]), user + system)
            : null;
    }

    // Any program may choose its name, and the name is printed.
    private static string Printable(string name) => string.Concat(name.Select(letter =>
        char.GetUnicodeCategory(letter) is UnicodeCategory.Control
            or UnicodeCategory.Format
            or UnicodeCategory.LineSeparator
            or UnicodeCategory.ParagraphSeparator
            or UnicodeCategory.Surrogate
            ? '?'
            : letter));
}
