using NetCoreNetworkBenchmark.AdapterKit.ENet;

namespace NetCoreNetworkBenchmark.Tests.Libraries;

public sealed class ThrottleTests
{
    private const int ReliableMessages = 20;
    private const int UnreliableMessages = 100;
    private const int Size = 32;
    private const byte Steady = 1;
    private const byte Reliable = 2;
    private const byte Unreliable = 3;
    private const byte Last = 4;

    public static IEnumerable<TheoryDataRow<string, string>> Values() =>
        from row in LibraryUnderTest.Settings()
        where row.Data.Item3 == ENetAdapter.Throttle.Name
        select new TheoryDataRow<string, string>(row.Data.Item1, row.Data.Item4)
        {
            Traits = { ["Category"] = row.Data.Item1 == "ENet" ? [] : ["Long"] },
        };

    // Each acknowledgement with a longer round trip than before lowers the throttle by 2 of 32 (ENET_PEER_PACKET_THROTTLE_DECELERATION and _SCALE). The round
    // trip before has a delay too, because ENet does not throttle while it is below its variance (enet_peer_throttle). In ENet-CSharp it is 1 ms at first
    // (ENET_PEER_DEFAULT_ROUND_TRIP_TIME), and is measured from the second interval of the throttle on, after 5 s.
    [Theory, MemberData(nameof(Values))]
    public async Task Throttle_drops_unreliable_messages_when_the_round_trip_becomes_longer_only_if_it_is_on(string name, string throttle)
    {
        await using var session = new LibrarySession(
            LibraryUnderTest.Create(name), Protocol.Udp, clients: 1, Size, setting: (ENetAdapter.Throttle.Name, throttle));
        session.StartServer();
        await using var path = new ChangingPath(session.EndPoint) { DelayMilliseconds = 100 };
        var (unreliable, last) = (new Tally(), new Tally());
        var steady = TimeSpan.FromSeconds(name == "ENet" ? 0 : 6);
        long start = Stopwatch.GetTimestamp();
        int answers = 0;
        session.Server.Message = (peer, message) =>
        {
            if (message[0] == Unreliable)
            {
                unreliable.Add();
            }
            else
            {
                peer.SendReliable(message);
            }
        };
        session.Client.Started = peer => peer.SendReliable(Message(Steady));
        session.Client.Message = (peer, message) =>
        {
            switch (message[0])
            {
                case Steady when Stopwatch.GetElapsedTime(start) < steady:
                    peer.SendReliable(Message(Steady));
                    break;
                case Steady:
                    path.DelayMilliseconds = 1_000;
                    Repeat(ReliableMessages, () => peer.SendReliable(Message(Reliable)));
                    break;
                case Reliable when ++answers == ReliableMessages:
                    Repeat(UnreliableMessages, () => peer.Send(Message(Unreliable)));
                    peer.SendReliable(Message(Last));
                    break;
                case Last:
                    last.Add();
                    break;
            }
        };
        await session.ConnectAsync(path.EndPoint);
        session.Load();
        await last.ReachesAsync(1, "last message came back");
        (int least, int most) = throttle == "on" ? (0, UnreliableMessages / 2) : (UnreliableMessages, UnreliableMessages);
        Assert.InRange(unreliable.Count, least, most);
        Assert.Empty(session.Recorder.Errors());
    }

    private static void Repeat(int count, Func<bool> send) => Assert.All(Enumerable.Range(0, count), _ => Assert.True(send()));

    private static byte[] Message(byte kind)
    {
        var message = new byte[Size];
        message[0] = kind;
        return message;
    }
}
