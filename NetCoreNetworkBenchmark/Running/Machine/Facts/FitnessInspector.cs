using System.Runtime;
using NetCoreNetworkBenchmark.Running.Machine.Limits;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Machine.Native;

namespace NetCoreNetworkBenchmark.Running.Machine.Facts;

internal static class FitnessInspector
{
    private const string GovernorFile = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";

    /// <summary>Of several plans, the machine is judged for the one whose server needs the largest buffers.</summary>
    public static RunPlan LargestOf(IEnumerable<RunPlan> plans) => plans.MaxBy(SocketBuffers.NeededByServer)!;

    public static async Task<Fitness> InspectAsync(RunPlan plan, CancellationToken cancellationToken) =>
        Inspect(plan, await BackgroundLoad.SampleAsync(cancellationToken));

    /// <param name="others">The current load of other programs; null if it was not inspected, or the system does not report it.</param>
    public static Fitness Inspect(RunPlan plan, BackgroundLoad? others = null)
    {
        string? governor = SystemFiles.ReadLine(GovernorFile);
        int? machineCores = CoreTopology.CountOnline();
        return new Fitness
        {
            LoadAverage = LoadAverage(),
            CpuGovernor = governor,
            MachineCores = machineCores,
            Warnings = [.. Warnings(plan, others, governor, machineCores)],
        };
    }

    public static bool SocketBufferIsTooSmall(RunPlan plan) => OperatingSystem.IsLinux()
        && !Environment.IsPrivilegedProcess
        && MachineInspector.SocketReceiveBufferLimit() < SocketBuffers.NeededByServer(plan);

    private static IEnumerable<string> Warnings(RunPlan plan, BackgroundLoad? others, string? governor, int? machineCores)
    {
        int cores = Environment.ProcessorCount;
        IEnumerable<string?> warnings =
        [
            others?.Warning(),
            If(Wine.IsHere, $"This is Wine and not Windows, so the figures do not describe a machine with Windows."),
            If(
                governor is not null and not "performance",
                $"The CPU governor is '{governor}', so the frequency changes with the load. Use 'performance'."),
            If(machineCores > cores, $"This process may use {cores} of the machine's {machineCores} cores."),
            new ControlGroup().CpuQuota is not { } quota ? null
                : Invariant($"The control group of this process, such as a container, has a CPU quota of {quota:0.##} cores. ") +
                    "A run that needs more is throttled and invalid.",
            If(cores < 2, $"Server and clients share the only core."),
            !SocketBufferIsTooSmall(plan) ? null
                : Invariant($"Sockets of this user hold at most {MachineInspector.SocketReceiveBufferLimit()} bytes (net.core.rmem_max)") +
                    Invariant($", and this load may need {SocketBuffers.NeededByServer(plan)}, so messages may be lost."),

            // The cores of a plan for several hosts are those of the hosts.
            .. CoreTopology.Read().Warnings(plan.Hosts.IsNone ? plan.Pinning : new PinningPlan()),
            If(
                GCSettings.IsServerGC,
                $"The server garbage collector is on, so collections use all cores. Use the workstation garbage collector (DOTNET_gcServer=0)."),
            If(!MachineInspector.IsTiered, $"Tiered compilation is off, so code runs without profile-guided optimisation."),
            If(Debugger.IsAttached, $"A debugger is attached, so the figures are not usable."),
            If(MachineInspector.IsDebugBuild, $"The harness was compiled without optimisation, so the figures are not usable."),
            .. (plan.Assemblies ?? []).SelectMany(DebugWarnings),
        ];
        return warnings.OfType<string>();
    }

    private static string? If(bool condition, FormattableString sentence) => condition ? Invariant(sentence) : null;

    private static IEnumerable<string> DebugWarnings(AdapterAssembly assembly) =>
        from file in File.Exists(assembly.Path) ? LibraryOptions.FilesOf(assembly.Path) : []
        where DebugBuild.Is(file)
        select $"'{file}' was compiled without optimisation, so the figures are not usable. Build it with '-c Release'.";

    private static double? LoadAverage() =>
        double.TryParse(SystemFiles.ReadLine("/proc/loadavg")?.Split(' ')[0], CultureInfo.InvariantCulture, out double load)
        && load is >= 0 and < double.PositiveInfinity
            ? load
            : null;
}
