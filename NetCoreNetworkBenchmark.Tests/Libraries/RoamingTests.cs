namespace NetCoreNetworkBenchmark.Tests.Libraries;

public sealed class RoamingTests
{
    public static IEnumerable<TheoryDataRow<string, string, string>> Values() =>
        from row in LibraryUnderTest.Settings()
        where row.Data.Item3 == "roaming"
        from native in (string[])["off", "on"]
        select new TheoryDataRow<string, string, string>(row.Data.Item1, row.Data.Item4, native);

    [Theory, MemberData(nameof(Values))]
    public async Task Connection_goes_on_from_a_new_address_only_if_roaming_is_on(string name, string roaming, string native)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        RunPlan plan = LibraryUnderTest.PlanOf(library, Protocol.Udp) with
        {
            Clients = 1,
            Settings = new Dictionary<string, string> { ["roaming"] = roaming, ["native"] = native },
        };
        await using var session = new CheckSession(LibraryUnderTest.Subject(library, plan));
        session.StartServer();
        await using var path = new ChangingPath(session.EndPoint);
        var (before, after) = (new Tally(), new Tally());
        byte number = 0;
        session.Client.Tick = peer => peer.Send([Volatile.Read(ref number), .. new byte[plan.MessageSize - 1]]);
        session.Client.Message = (_, answer) => (answer[0] == 0 ? before : after).Add();
        await session.ConnectAsync(path.EndPoint);
        session.Load();
        await before.ReachesAsync(1, "answers to the former address");
        path.ChangeAddress();
        Volatile.Write(ref number, 1);
        if (roaming == "on")
        {
            await after.ReachesAsync(10, "answers to the new address");
            Assert.Equal((0, 0), (session.Client.Closed.Count, session.Server.Closed.Count));
        }
        else
        {
            await session.Client.Closed.ReachesAsync(1, "ends seen by the client");
            Assert.Equal(0, after.Count);
        }
    }
}
