namespace NetCoreNetworkBenchmark.Libraries.Nginx;

/// <summary>Finds the program on this machine.</summary>
internal static class NginxProgram
{
    private const string FileName = "nginx";

    // A user who is not root often has no /usr/sbin on the PATH.
    private static readonly string[] s_folders = ["/usr/sbin", "/usr/local/sbin", "/usr/local/nginx/sbin"];

    /// <summary>Returns the path of the program; null if it is not installed.</summary>
    public static string? Find() => OperatingSystem.IsWindows()
        ? null
        : (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(':')
            .Where(folder => folder.Length > 0)
            .Concat(s_folders)
            .Select(folder => Path.Combine(folder, FileName))
            .FirstOrDefault(File.Exists);
}
