namespace NetCoreNetworkBenchmark.AdapterKit;

/// <summary>Programs of the system.</summary>
public static class SystemProgram
{
    // A user who is not root often has no folder of the administrator on the PATH.
    private static readonly string[] s_folders = ["/usr/sbin", "/sbin"];

    /// <summary>Returns the path of a program; null if it is not installed. Further folders come after those of the PATH and of the administrator.</summary>
    public static string? Find(string name, params IEnumerable<string> folders) =>
        (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(Path.PathSeparator)
            .Where(folder => folder.Length > 0)
            .Concat(s_folders)
            .Concat(folders)
            .Select(folder => Path.Combine(folder, name))
            .FirstOrDefault(File.Exists);
}
