namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>Adds up the resources that this process used in one interval, or in several, and the use of the machine meanwhile.</summary>
internal sealed class UseCounter(ProcessMeter meter)
{
    private ProcessSnapshot? _start;
    private MachineTime? _machineStart;
    private ProcessSnapshot? _used;
    private MachineTime? _machineUsed;

    public MachineUse? Machine => _machineUsed is { Total: > 0 } used ? used.Use() : null;

    public void Begin() => (_machineStart, _start) = (MachineTime.Read(), meter.Read());

    public void End()
    {
        if (_start is { } start)
        {
            _used = meter.Read().Since(start).Plus(_used);
            _machineUsed = _machineStart is null ? null : MachineTime.Read()?.Since(_machineStart).Plus(_machineUsed);
            _start = null;
        }
    }

    public ProcessCost? CostOf(long messages) => _used is null ? null : meter.CostOf(_used, messages);
}
