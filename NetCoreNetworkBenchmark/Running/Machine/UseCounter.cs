using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>Adds up the resources that this process used in one interval, or in several, and the use of the machine meanwhile.</summary>
/// <param name="meter">The meter of this process.</param>
internal sealed class UseCounter(ProcessMeter meter)
{
    private ProcessSnapshot? _start;
    private MachineTime? _machineStart;
    private ProcessSnapshot? _used;
    private MachineTime? _machineUsed;

    /// <summary>The use of the machine in the intervals; null if the system does not report it, or if there was no interval.</summary>
    public MachineUse? Machine => _machineUsed is { Total: > 0 } used ? used.Use() : null;

    /// <summary>Begins an interval.</summary>
    public void Begin() => (_machineStart, _start) = (MachineTime.Read(), meter.Read());

    /// <summary>Ends the interval, if one has begun.</summary>
    public void End()
    {
        if (_start is { } start)
        {
            _used = meter.Read().Since(start).Plus(_used);
            _machineUsed = _machineStart is null ? null : MachineTime.Read()?.Since(_machineStart).Plus(_machineUsed);
            _start = null;
        }
    }

    /// <summary>Returns the cost of all intervals; null if there was none.</summary>
    /// <param name="messages">The messages of the intervals.</param>
    public ProcessCost? CostOf(long messages) => _used is null ? null : meter.CostOf(_used, messages);
}
