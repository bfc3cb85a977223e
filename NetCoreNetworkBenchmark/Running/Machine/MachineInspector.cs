using System.Collections;
using System.Diagnostics;
using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;
using NetCoreNetworkBenchmark.AdapterKit;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>Inspects the machine and the runtime of this process. Values that a system does not report are left out, never guessed.</summary>
internal static class MachineInspector
{
    public static EnvironmentInfo Inspect() => new()
    {
        Os = OsName(),
        Kernel = Kernel(),
        Cpu = CpuModel(),
        Cores = Environment.ProcessorCount,
        Mainboard = Mainboard(),
        MemoryBytes = MemoryBytes(),
        Architecture = RuntimeInformation.ProcessArchitecture.ToString(),
        Framework = RuntimeInformation.FrameworkDescription,
        GarbageCollector = GarbageCollector,
        Jit = IsTiered ? $"tiered, {(IsOn("TieredPGO") ? "with" : "without")} profile" : "not tiered",
        IsDebugBuild = IsDebugBuild,
        SocketReceiveBufferLimit = SocketReceiveBufferLimit(),
        DescriptorLimit = DescriptorLimit.Current(),
        RuntimeSettings = RuntimeSettings(),
    };

    /// <summary>Whether code that is called often is compiled again with better optimisation.</summary>
    public static bool IsTiered => IsOn("TieredCompilation");

    /// <summary>Whether the harness was compiled without optimisation.</summary>
    public static bool IsDebugBuild { get; } =
        Assembly.GetExecutingAssembly().GetCustomAttribute<DebuggableAttribute>()?.IsJITOptimizerDisabled ?? false;

    public static long? SocketReceiveBufferLimit() => ReadNumber("/proc/sys/net/core/rmem_max");

    // Both are on unless the environment or the program's configuration turns them off; the environment wins.
    private static bool IsOn(string setting) => Environment.GetEnvironmentVariable($"DOTNET_{setting}") is { } value
        ? value != "0"
        : !AppContext.TryGetSwitch($"System.Runtime.{setting}", out bool isOn) || isOn;

    private static string OsName() => OperatingSystem.IsLinux()
        ? FirstValue("/etc/os-release", "PRETTY_NAME", '=')?.Trim('"') ?? RuntimeInformation.OSDescription
        : RuntimeInformation.OSDescription;

    // .NET's own version of a Linux kernel has only the numbers.
    private static string Kernel() => ReadLine("/proc/sys/kernel/osrelease") is { } release ? $"Linux {release}" : Environment.OSVersion.VersionString;

    private static string CpuModel()
    {
        string? model = null;
        if (OperatingSystem.IsLinux())
        {
            model = FirstValue("/proc/cpuinfo", "model name", ':');
        }
        else if (OperatingSystem.IsMacOS())
        {
            model = Ask("sysctl", "-n", "machdep.cpu.brand_string");
        }
        else if (OperatingSystem.IsWindows())
        {
            model = Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER");
        }

        return string.IsNullOrWhiteSpace(model) ? $"Unknown {RuntimeInformation.ProcessArchitecture}" : model;
    }

    /// <summary>The garbage collector of this process.</summary>
    public static string GarbageCollector =>
        (GCSettings.IsServerGC ? "Server" : "Workstation") + (GCSettings.LatencyMode == GCLatencyMode.Batch ? string.Empty : ", concurrent");

    private static string? Mainboard()
    {
        string?[] parts = [ReadLine("/sys/class/dmi/id/board_vendor"), ReadLine("/sys/class/dmi/id/board_name")];
        string board = string.Join(' ', parts.Where(part => !string.IsNullOrWhiteSpace(part)));
        return board.Length == 0 ? null : board;
    }

    private static long MemoryBytes()
    {
        string? total = FirstValue("/proc/meminfo", "MemTotal", ':')?.Split(' ')[0];
        return long.TryParse(total, out long kibibytes) ? kibibytes * 1024 : GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
    }

    private static SortedDictionary<string, string> RuntimeSettings()
    {
        var settings = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (DictionaryEntry entry in Environment.GetEnvironmentVariables())
        {
            string name = (string)entry.Key;
            if (name.StartsWith("DOTNET_SYSTEM_NET_", StringComparison.Ordinal)
                || name.StartsWith("DOTNET_gc", StringComparison.OrdinalIgnoreCase)
                || name.StartsWith("DOTNET_Tiered", StringComparison.OrdinalIgnoreCase)
                || name.StartsWith("DOTNET_ReadyToRun", StringComparison.OrdinalIgnoreCase))
            {
                settings[name] = (string?)entry.Value ?? string.Empty;
            }
        }

        return settings;
    }

    private static long? ReadNumber(string path) => long.TryParse(ReadLine(path), out long number) ? number : null;

    /// <summary>Returns the first line of a file that the system keeps; null if it is not available.</summary>
    public static string? ReadLine(string path) => ReadLines(path).FirstOrDefault()?.Trim();

    /// <summary>Returns the text of a file that the system keeps; null if it is not available, or not any more.</summary>
    public static string? ReadText(string path) => ReadLines(path) is { Length: > 0 } lines ? string.Join('\n', lines) : null;

    private static string? FirstValue(string path, string key, char separator) => ReadLines(path)
        .Select(line => line.Split(separator, 2))
        .FirstOrDefault(parts => parts.Length == 2 && parts[0].Trim() == key)?[1].Trim();

    private static string[] ReadLines(string path)
    {
        try
        {
            return File.Exists(path) ? File.ReadAllLines(path) : [];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Some systems keep these files from ordinary users. Their values stay unknown.
            return [];
        }
    }

    private static string? Ask(string program, params string[] arguments)
    {
        try
        {
            using Process process = ChildProcess.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true });
            string answer = process.StandardOutput.ReadToEnd().Trim();
            return process.WaitForExit(TimeSpan.FromSeconds(2)) && process.ExitCode == 0 ? answer : null;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            // The program does not exist. Its output stays unknown.
            return null;
        }
    }
}
