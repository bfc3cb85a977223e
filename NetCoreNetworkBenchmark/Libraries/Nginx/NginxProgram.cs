using NetCoreNetworkBenchmark.AdapterKit;

namespace NetCoreNetworkBenchmark.Libraries.Nginx;

/// <summary>Finds the program on this machine.</summary>
internal static class NginxProgram
{
    private const string FileName = "nginx";

    // Where it is if it was built from its sources.
    private static readonly string[] s_folders = ["/usr/local/sbin", "/usr/local/nginx/sbin"];

    /// <summary>Returns the path of the program; null if it is not installed.</summary>
    public static string? Find() => OperatingSystem.IsWindows() ? null : SystemProgram.Find(FileName, s_folders);
}
