using NetCoreNetworkBenchmark.AdapterKit;

namespace NetCoreNetworkBenchmark.Libraries.Nginx;

internal static class NginxProgram
{
    private const string FileName = "nginx";

    // Where it is if it was built from its sources.
    private static readonly string[] s_folders = ["/usr/local/sbin", "/usr/local/nginx/sbin"];

    public static string? Find() => OperatingSystem.IsWindows() ? null : SystemProgram.Find(FileName, s_folders);
}
