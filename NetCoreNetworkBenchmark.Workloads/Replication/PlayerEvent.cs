using NetCoreNetworkBenchmark.Workloads.ServerPush;

namespace NetCoreNetworkBenchmark.Workloads.Replication;

/// <summary>A reliable message of a player, such as a shot. The tag has the time at which it was due, and its number for the receiver, from 1.</summary>
internal static class PlayerEvent
{
    public const int Size = 64;

    // The first byte of a message to the server is neither that of an input nor that of a request.
    private const byte Kind = 3;
    private const int TagAtServer = 16;
    private const uint Server = uint.MaxValue;

    // Clients are numbered from 1, and their numbers are the receivers of snapshots.
    private const uint EventsFlag = 1u << 31;

    public static bool TrySendToServer(IPeer peer, uint sequence, long due) => TrySend(peer, new PushTag(Server, sequence, due), TagAtServer, Kind);

    public static bool TryReadAtServer(ReadOnlySpan<byte> message, out PushTag tag)
    {
        bool isEvent = message.Length == Size && message[0] == Kind;
        tag = isEvent ? PushTag.ReadFrom(message[TagAtServer..]) : default;
        return isEvent && tag.IsFor(Server);
    }

    public static bool TrySendTo(uint client, IPeer peer, uint sequence, long due) => TrySend(peer, new PushTag(client | EventsFlag, sequence, due));

    public static bool IsFor(uint client, PushTag tag, ReadOnlySpan<byte> message) => message.Length == Size && tag.IsFor(client | EventsFlag);

    private static bool TrySend(IPeer peer, PushTag tag, int tagAt = 0, byte kind = 0)
    {
        Span<byte> message = stackalloc byte[Size];
        message.Clear();
        message[0] = kind;
        tag.WriteTo(message[tagAt..]);
        return peer.SendReliable(message);
    }
}

/// <summary>In the end of a client's stream, behind the tag.</summary>
/// <param name="Sent">The number that the server has sent to the client.</param>
/// <param name="Arrived">The number that has arrived from the client.</param>
internal readonly record struct EventCounts(uint Sent, uint Arrived)
{
    public static EventCounts ReadFrom(ReadOnlySpan<byte> end) => MemoryMarshal.Read<EventCounts>(end[PushTag.Size..]);

    public void WriteTo(Span<byte> end) => MemoryMarshal.Write(end[PushTag.Size..], in this);
}
