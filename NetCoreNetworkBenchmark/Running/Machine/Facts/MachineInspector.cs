using System.Collections;
using System.Reflection;
using System.Runtime;
using System.Security.Cryptography;
using NetCoreNetworkBenchmark.Running.Machine.Limits;
using NetCoreNetworkBenchmark.Running.Machine.Native;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Machine.Facts;

/// <summary>Values that a system does not report are left out, never guessed.</summary>
internal static class MachineInspector
{
    private static readonly TimeSpan s_askDeadline = TimeSpan.FromSeconds(2);

    private static readonly string[] s_prefixes = ["DOTNET_", "COMPlus_"];

    // Other variables change no figure, and may hold a secret: results are published, and command lines are visible to every user of a host.
    private static readonly string[] s_settings =
    [
        .. RuntimePlan.Names, "EnableWriteXorExecute", "GCCpuGroup", "GCgen0MaxBudget", "GCgen1size", "GCHeapAffinitizeMask", "GCHeapAffinitizeRanges",
        "GCHeapHardLimit", "GCHeapHardLimitPercent", "GCHighMemPercent", "GCLargePages", "GCLOHThreshold", "GCNoAffinitize", "GCRegionSize", "GCRetainVM",
        "JITMinOpts", "OSR_HitLimit", "PROCESSOR_COUNT", "TC_BackgroundWorkerTimeoutMs", "TC_OnStackReplacement",
        "TC_OnStackReplacement_InitialCounter", "TieredPGO_InstrumentOnlyHotCode", "EnableHWIntrinsic", "EnableAVX", "EnableAVX2", "PreferredVectorBitWidth",
        "ThreadPool_UnfairSemaphoreSpinLimit", "Thread_DefaultStackSize", "SYSTEM_NET_SOCKETS_THREAD_COUNT", "SYSTEM_GLOBALIZATION_INVARIANT",
    ];

    public static EnvironmentInfo Inspect() => Inspect(new ControlGroup());

    private static EnvironmentInfo Inspect(ControlGroup group) => new(
        Os: OsName(),
        Kernel: Kernel(),
        Cpu: CpuModel(),
        Cores: Environment.ProcessorCount,
        CpuQuota: group.CpuQuota,
        Mainboard: Mainboard(),
        MemoryBytes: Math.Min(MemoryBytes(), group.MemoryLimit ?? long.MaxValue),
        Architecture: RuntimeInformation.ProcessArchitecture.ToString(),
        Framework: RuntimeInformation.FrameworkDescription,
        GarbageCollector: GarbageCollector,
        Jit: Jit,
        OpenSslVersion: null,
        IsDebugBuild: IsDebugBuild,
        SocketReceiveBufferLimit: SocketReceiveBufferLimit(),
        DescriptorLimit: DescriptorLimit.Current(),
        RuntimeSettings: RuntimeSettings())
    {
        CoreTopology = CoreTopology.Read().Describe(),
    };

    public static string Jit => IsTiered ? $"tiered, {(IsOn("TieredPGO") ? "with" : "without")} profile" : "not tiered";
    public static bool IsTiered => IsOn("TieredCompilation");

    public static bool IsDebugBuild { get; } =
        Assembly.GetExecutingAssembly().GetCustomAttribute<DebuggableAttribute>()?.IsJITOptimizerDisabled ?? false;

    public static long? SocketReceiveBufferLimit() => SystemFiles.NumberOf(SystemFiles.ReadLine("/proc/sys/net/core/rmem_max"));

    public static string? OpenSslVersionFor(RunPlan plan) => plan.Protocol.HasTls() && plan.Protocol != Protocol.Quic ? OpenSslVersion() : null;

    // On unless the environment (its first prefix) or, below it, the program's configuration turns it off (clrconfignative.cpp, clrconfig.cpp).
    private static bool IsOn(string setting) =>
        s_prefixes.Select(prefix => HexNumber(Environment.GetEnvironmentVariable(prefix + setting))).FirstOrDefault(value => value is not null) is { } value
            ? value != 0
            : !AppContext.TryGetSwitch($"System.Runtime.{setting}", out bool isOn) || isOn;

    // The runtime reads numbers as strtoul does with base 16: as far as they go. Text without a digit at its start is no value.
    private static ulong? HexNumber(string? text)
    {
        string digits = string.Concat((text ?? string.Empty).Replace("0x", string.Empty, StringComparison.OrdinalIgnoreCase).TakeWhile(char.IsAsciiHexDigit));
        return ulong.TryParse(digits, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out ulong number) ? number : null;
    }

    private static string OsName() => OperatingSystem.IsLinux()
        ? SystemFiles.ValueOf("/etc/os-release", "PRETTY_NAME", '=')?.Trim('"') ?? RuntimeInformation.OSDescription
        : Wine.IsHere ? $"Wine ({RuntimeInformation.OSDescription})" : RuntimeInformation.OSDescription;

    // .NET's own version of a Linux kernel has only the numbers.
    private static string Kernel() =>
        SystemFiles.ReadLine("/proc/sys/kernel/osrelease") is { } release ? $"Linux {release}" : Environment.OSVersion.VersionString;

    private static string CpuModel()
    {
        string? model = null;
        if (OperatingSystem.IsLinux())
        {
            model = SystemFiles.ValueOf("/proc/cpuinfo", "model name", ':');
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

    public static string GarbageCollector =>
        (GCSettings.IsServerGC ? "Server" : "Workstation") + (GCSettings.LatencyMode == GCLatencyMode.Batch ? string.Empty : ", concurrent");

    private static string? Mainboard()
    {
        string?[] parts = [SystemFiles.ReadLine("/sys/class/dmi/id/board_vendor"), SystemFiles.ReadLine("/sys/class/dmi/id/board_name")];
        string board = string.Join(' ', parts.Where(part => !string.IsNullOrWhiteSpace(part)));
        return board.Length == 0 ? null : board;
    }

    private static long MemoryBytes()
    {
        string? total = SystemFiles.ValueOf("/proc/meminfo", "MemTotal", ':')?.Split(' ')[0];
        return SystemFiles.NumberOf(total, 1024) is > 0 and var bytes ? bytes : GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
    }

    public static SortedDictionary<string, string> RuntimeSettings()
    {
        IEnumerable<string> names = from prefix in s_prefixes from setting in s_settings select prefix + setting;
        var settings = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (DictionaryEntry entry in Environment.GetEnvironmentVariables())
        {
            if (names.Contains((string)entry.Key, StringComparer.OrdinalIgnoreCase))
            {
                settings[(string)entry.Key] = (string?)entry.Value ?? string.Empty;
            }
        }

        return settings;
    }

    internal static string? Ask(string program, params string[] arguments)
    {
        try
        {
            CommandRun run = CommandRun.RunAsync(new ProcessStartInfo(program, arguments), input: null, s_askDeadline, CancellationToken.None)
                .GetAwaiter().GetResult();
            return run.ExitCode == 0 ? run.Output.Trim() : null;
        }
        catch (Exception exception) when (exception is BenchmarkException or TimeoutException)
        {
            // The program does not exist, or hangs. Its output stays unknown.
            return null;
        }
    }

    // OPENSSL_VERSION_NUMBER: 0xMNN00PP0 from OpenSSL 3.0 on, 0xMNNFFPPS before, where PP is a letter.
    private static string? OpenSslVersion()
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsFreeBSD())
        {
            return null;
        }

        long number = SafeEvpPKeyHandle.OpenSslVersion;
        (long major, long minor, long fix, long patch) = (number >> 28, (number >> 20) & 0xFF, (number >> 12) & 0xFF, (number >> 4) & 0xFF);
        return major >= 3
            ? Invariant($"{major}.{minor}.{patch}")
            : Invariant($"{major}.{minor}.{fix}{(patch == 0 ? string.Empty : (char)('a' + patch - 1))}");
    }
}
