namespace NetCoreNetworkBenchmark.Workloads.InFlight;

// The slots of one client that wait for the end of their think time. It ends in the order in which it began.
internal sealed class ThinkingSlots(in WindowSetup setup, int slots)
{
    // Multiples of the golden ratio divide an interval evenly, however many there are.
    private const double GoldenRatio = 0.6180339887498949;

    private readonly IPeer _peer = setup.Peer;
    private readonly long _think = setup.Think;
    private readonly long _first = (long)setup.Client * slots;
    private readonly bool[] _isThinking = new bool[slots];
    private readonly Queue<int> _order = new(slots);

    public bool Contains(int slot) => _isThinking[slot];

    public void Add(int slot, WorkerStatistics worker) => AddUntil(slot, worker.Now + _think, worker);

    /// <summary>A slot begins within its think time. Otherwise, all clients would begin at once, and stay together.</summary>
    public void AddFirst(int slot, WorkerStatistics worker) =>
        AddUntil(slot, worker.Now + (long)((_first + slot) * GoldenRatio % 1 * _think), worker);

    public int Take()
    {
        int slot = _order.Dequeue();
        _isThinking[slot] = false;
        return slot;
    }

    private void AddUntil(int slot, long due, WorkerStatistics worker)
    {
        _isThinking[slot] = true;
        _order.Enqueue(slot);
        worker.RequestDue(_peer, due);
    }
}
