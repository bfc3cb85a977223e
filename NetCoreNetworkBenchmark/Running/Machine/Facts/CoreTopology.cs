namespace NetCoreNetworkBenchmark.Running.Machine.Facts;

/// <summary>Linux reports threads of one core and kinds of cores in files; elsewhere, nothing is known.</summary>
internal sealed class CoreTopology
{
    private const string Folder = "/sys/devices";
    private static readonly string[] s_kinds = ["core", "atom"];

    private readonly SortedDictionary<int, LogicalCore> _cores = [];

    private CoreTopology()
    {
    }

    private int Kinds => _cores.Values.Select(core => core.Kind).Distinct().Count();

    public static CoreTopology Read(string folder = Folder)
    {
        var topology = new CoreTopology();
        string cpus = Path.Combine(folder, "system", "cpu");

        // Intel has a folder for each kind (cpu_core, cpu_atom), Arm a capacity of each core (Documentation/ABI/testing/sysfs-devices-system-cpu).
        (string Name, IReadOnlyList<int> Cores)[] kinds = [.. s_kinds.Select(name => (name, ReadList(folder, $"cpu_{name}", "cpus")))];
        foreach (int core in ReadList(cpus, "online"))
        {
            if (ReadList(cpus, $"cpu{core}", "topology", "thread_siblings_list") is { Count: > 0 } threads)
            {
                string? capacity = SystemFiles.ReadLine(Path.Combine(cpus, $"cpu{core}", "cpu_capacity"));
                string? kind = kinds.FirstOrDefault(each => each.Cores.Contains(core)).Name ?? (capacity is null ? null : $"capacity {capacity}");
                topology._cores[core] = new LogicalCore(threads[0], kind ?? string.Empty);
            }
        }

        return topology;
    }

    /// <returns>The number of processors; null if it is not known.</returns>
    public static int? CountOnline(string folder = Folder) => ReadList(folder, "system", "cpu", "online") is { Count: > 0 and var count } ? count : null;

    /// <returns>A text such as <c>8 cores with 2 threads, 8 with 1; kinds: 0-15 (core), 16-23 (atom)</c>; null if the processor is not known.</returns>
    public string? Describe()
    {
        if (_cores.Count == 0)
        {
            return null;
        }

        IEnumerable<string> numbers = _cores.Values.GroupBy(core => core.FirstThread).GroupBy(core => core.Count()).OrderByDescending(cores => cores.Key)
            .Select((cores, index) => index > 0
                ? Invariant($"{cores.Count()} with {cores.Key}")
                : $"{Plural.Format(cores.Count(), "core")} with {Plural.Format(cores.Key, "thread")}");
        return string.Join(", ", numbers) + (Kinds > 1 ? $"; kinds: {KindsText(_cores.Keys)}" : string.Empty);
    }

    public IEnumerable<string> Warnings(PinningPlan pinning)
    {
        const string Remedy = "and the system chooses among them. Bind each side to one kind with --pin.";
        if (pinning.IsNone)
        {
            return Kinds > 1 ? [$"This processor has cores of several kinds ({KindsText(_cores.Keys)}), {Remedy}"] : [];
        }

        IReadOnlyList<int> server = CoresOf(pinning.ServerCores);
        IReadOnlyList<int> clients = CoresOf(pinning.ClientCores);
        IEnumerable<string> shared =
            from core in server.Except(clients)
            from other in clients.Except(server)
            where pinning is { ServerCores: not null, ClientCores: not null } && _cores[core].FirstThread == _cores[other].FirstThread
            select Invariant($"Processors {core} of the server and {other} of the clients are threads of one core, so each side slows the other down. ") +
                "Give both threads of a core to one side with --pin ('lscpu -e' shows them).";
        return shared.Take(1).Concat(
            from side in new[] { (Name: "server", Cores: server), (Name: "clients", Cores: clients) }
            where side.Cores.Select(core => _cores[core].Kind).Distinct().Count() > 1
            select $"The cores of the {side.Name} are of several kinds ({KindsText(side.Cores)}), {Remedy}");
    }

    // A side that is not bound has all cores.
    private IReadOnlyList<int> CoresOf(IReadOnlyList<int>? bound) => bound is null ? [.. _cores.Keys] : [.. bound.Where(_cores.ContainsKey)];

    private string KindsText(IEnumerable<int> cores) => string.Join(
        ", ", cores.GroupBy(core => _cores[core].Kind).Select(kind => $"{CoreList.Text([.. kind])} ({(kind.Key.Length == 0 ? "other" : kind.Key)})"));

    private static IReadOnlyList<int> ReadList(params string[] path) =>
        CoreList.Read(SystemFiles.ReadLine(Path.Combine(path))?.Replace(',', '+') ?? string.Empty) ?? [];

    private readonly record struct LogicalCore(int FirstThread, string Kind);
}
