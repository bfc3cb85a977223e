namespace NetCoreNetworkBenchmark.Results;

/// <summary>The machine and the runtime that a run was measured on. Values that cannot be determined are null.</summary>
/// <param name="Os">The operating system's own name and version.</param>
/// <param name="Kernel">The kernel's version.</param>
/// <param name="Cpu">The processor's model.</param>
/// <param name="Cores">Logical processors that .NET counts for the process: its affinity, its CPU quota rounded up, or <c>DOTNET_PROCESSOR_COUNT</c>.</param>
/// <param name="CpuQuota">The CPU time that the control group of the process, such as a container, may use for each second; null if it has no quota.</param>
/// <param name="Mainboard">The mainboard's maker and name.</param>
/// <param name="MemoryBytes">Main memory in bytes: that of the machine, or the limit of the control group of the process if that is less.</param>
/// <param name="Architecture">The instruction set that the process runs as, such as X64.</param>
/// <param name="Framework">The .NET runtime and its version.</param>
/// <param name="GarbageCollector">The garbage collector: Server or Workstation, with Concurrent if it is concurrent.</param>
/// <param name="Jit">The compilation of code at run time: tiered or not, with or without a profile of its first calls.</param>
/// <param name="OpenSslVersion">The version of the OpenSSL that .NET used for TLS; null if there was no TLS, or if .NET used another library.</param>
/// <param name="IsDebugBuild">Whether the harness was compiled without optimisation, so that its figures mean nothing.</param>
/// <param name="SocketReceiveBufferLimit">The largest receive buffer that an ordinary user may ask for, in bytes (Linux: net.core.rmem_max).</param>
/// <param name="DescriptorLimit">The most open descriptors of this process.</param>
/// <param name="RuntimeSettings">
/// The environment variables <c>DOTNET_*</c> and <c>COMPlus_*</c> of the processes that measured, of a list of those that can change a figure.
/// </param>
public sealed record EnvironmentInfo(
    string Os, string Kernel, string Cpu, int Cores, double? CpuQuota, string? Mainboard, long MemoryBytes, string Architecture, string Framework,
    string GarbageCollector, string Jit, string? OpenSslVersion, bool IsDebugBuild, long? SocketReceiveBufferLimit, long? DescriptorLimit,
    IReadOnlyDictionary<string, string> RuntimeSettings)
{
    /// <summary>The cores with their threads and kinds, such as <c>8 cores with 2 threads</c>; null if the system does not report them.</summary>
    public string? CoreTopology { get; init; }
}

/// <summary>The conditions that could disturb a run, before and during its measurement. Values that a system does not report are null.</summary>
/// <param name="LoadAverage">Processes that ran or waited to run, on average over the minute before the run (Linux: /proc/loadavg).</param>
/// <param name="CpuGovernor">The policy by which the processor chooses its frequency, such as performance or powersave (Linux: cpufreq).</param>
/// <param name="MachineCores">Logical processors of the machine; those that the process may use are <see cref="EnvironmentInfo.Cores"/>.</param>
/// <param name="StealShare">The share (0 to 1) of the machine's CPU time that its hypervisor gave to others meanwhile (Linux: /proc/stat).</param>
/// <param name="OtherShare">The share (0 to 1) of the machine's CPU time that other programs used meanwhile; null with a relay.</param>
public sealed record Fitness(
    double? LoadAverage = null, string? CpuGovernor = null, int? MachineCores = null, double? StealShare = null, double? OtherShare = null)
{
    /// <summary>The conditions found before the run that may spoil its figures, a sentence each.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }
}
