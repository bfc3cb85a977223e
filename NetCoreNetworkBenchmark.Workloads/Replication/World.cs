namespace NetCoreNetworkBenchmark.Workloads.Replication;

/// <summary>The thread of a player writes its own state and events, and any thread reads them.</summary>
internal sealed class World(int players)
{
    // At 50 events a second, those of five seconds. A server that stands still for longer sends the time of a later one.
    private const int KeptEvents = 256;

    private readonly long[] _times = new long[players];
    private readonly uint[] _sequences = new uint[players];
    private readonly uint[] _events = new uint[players];
    private readonly long[]?[] _timesOfEvents = new long[players][];
    private int _joined = -1;

    /// <summary>Returns a number from 0. A player that is one too many has the number of an earlier one.</summary>
    public int Join() => (int)((uint)Interlocked.Increment(ref _joined) % (uint)players);

    /// <summary>Players stand in a circle, and the nearest on both sides come first.</summary>
    public int NeighbourOf(int player, int number)
    {
        int distance = (number / 2) + 1;
        return (player + (number % 2 == 0 ? distance : players - distance)) % players;
    }

    // An input that arrives after a later one is ignored. The two values are not written together: a thread that reads them meanwhile may get the time of the
    // new input with the number of the one before, and gets the new number at the next tick.
    public void Set(int player, PlayerInput input)
    {
        if (SequenceNumber.IsAfter(input.Sequence, _sequences[player]))
        {
            Volatile.Write(ref _times[player], input.Time);
            Volatile.Write(ref _sequences[player], input.Sequence);
        }
    }

    /// <param name="time">The time at which it was due.</param>
    public void Add(int player, long time)
    {
        (_timesOfEvents[player] ??= new long[KeptEvents])[_events[player] % KeptEvents] = time;
        Volatile.Write(ref _events[player], _events[player] + 1);
    }

    public uint EventsOf(int player) => Volatile.Read(ref _events[player]);

    /// <param name="number">From 0.</param>
    public long TimeOfEvent(int player, uint number) => _timesOfEvents[player]![number % KeptEvents];

    public PlayerState StateOf(int player)
    {
        uint sequence = Volatile.Read(ref _sequences[player]);
        return new PlayerState(player, sequence, Volatile.Read(ref _times[player]));
    }
}

/// <summary>The byte order is that of the machine.</summary>
/// <param name="Sequence">The number of the input from which the state follows, from 1; 0 if there was none yet.</param>
/// <param name="Time">The time at which the input was due (<see cref="RunRecorder.Clock"/>).</param>
[StructLayout(LayoutKind.Sequential, Size = Size)]
internal readonly record struct PlayerState(int Player, uint Sequence, long Time)
{
    public const int Size = 16;
}

/// <summary>The first byte is not that of a request.</summary>
internal readonly record struct PlayerInput(uint Sequence, long Time)
{
    public const int SmallestSize = 16;

    private const int SequenceAt = 4;
    private const int TimeAt = 8;

    public static bool TryRead(ReadOnlySpan<byte> message, out PlayerInput input)
    {
        bool isInput = message.Length >= SmallestSize && message[0] == 0;
        input = isInput ? new PlayerInput(MemoryMarshal.Read<uint>(message[SequenceAt..]), MemoryMarshal.Read<long>(message[TimeAt..])) : default;
        return isInput;
    }

    public void WriteTo(Span<byte> message)
    {
        MemoryMarshal.Write(message[SequenceAt..], Sequence);
        MemoryMarshal.Write(message[TimeAt..], Time);
    }
}
