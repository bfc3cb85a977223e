namespace NetCoreNetworkBenchmark.Results;

/// <summary>The machine and the runtime that a run was measured on. Values that cannot be determined are null.</summary>
public sealed record EnvironmentInfo
{
    /// <summary>The operating system's own name and version.</summary>
    public required string Os { get; init; }

    /// <summary>The kernel's version.</summary>
    public required string Kernel { get; init; }

    /// <summary>The processor's model.</summary>
    public required string Cpu { get; init; }

    /// <summary>
    /// Logical processors that .NET counts for the process: those of its affinity, its CPU quota rounded up, or <c>DOTNET_PROCESSOR_COUNT</c>.
    /// </summary>
    public required int Cores { get; init; }

    /// <summary>The CPU time that the control group of the process, such as a container, may use for each second; null if it has no quota.</summary>
    public double? CpuQuota { get; init; }

    /// <summary>The mainboard's maker and name.</summary>
    public string? Mainboard { get; init; }

    /// <summary>Main memory in bytes: that of the machine, or the limit of the control group of the process if that is less.</summary>
    public required long MemoryBytes { get; init; }

    /// <summary>The instruction set that the process runs as, such as X64.</summary>
    public required string Architecture { get; init; }

    /// <summary>The .NET runtime and its version.</summary>
    public required string Framework { get; init; }

    /// <summary>The garbage collector: Server or Workstation, with Concurrent if it is concurrent.</summary>
    public required string GarbageCollector { get; init; }

    /// <summary>The compilation of code at run time: tiered or not, with or without a profile of its first calls.</summary>
    public required string Jit { get; init; }

    /// <summary>The version of the OpenSSL that .NET used for TLS; null if there was no TLS, or if .NET used another library.</summary>
    public string? OpenSslVersion { get; init; }

    /// <summary>Whether the harness was compiled without optimisation, so that its figures mean nothing.</summary>
    public required bool IsDebugBuild { get; init; }

    /// <summary>The largest receive buffer that an ordinary user may ask for, in bytes (Linux: net.core.rmem_max).</summary>
    public long? SocketReceiveBufferLimit { get; init; }

    /// <summary>The most open descriptors of this process.</summary>
    public long? DescriptorLimit { get; init; }

    /// <summary>
    /// The environment variables <c>DOTNET_*</c> and <c>COMPlus_*</c> of the processes that measured, but for those of the command <c>dotnet</c>.
    /// </summary>
    public required IReadOnlyDictionary<string, string> RuntimeSettings { get; init; }
}
