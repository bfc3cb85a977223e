namespace NetCoreNetworkBenchmark.Tests.Impairment;

public sealed class RoamTests
{
    private const int Addresses = 4;
    private const int ToOldAddress = -1;

    // An answer that is later than this was sent to an address that the client has left.
    private static readonly TimeSpan s_longestAnswer = TimeSpan.FromMilliseconds(500);

    [Theory, InlineData("127.0.0.1"), InlineData("::1")]
    public async Task A_client_goes_on_from_each_new_address_and_gets_nothing_that_is_sent_to_an_old_one(string address)
    {
        using Socket server = Bind(address);
        using Socket client = Bind(address);
        using var recorder = new RunRecorder();
        RelaySetup setup = RelayedTraffic.SetupOf((IPEndPoint)server.LocalEndPoint!, recorder, new ImpairmentPlan { Roam = TimeSpan.FromMilliseconds(200) });
        await using Relay relay = Relay.Start(setup with { EndPoint = new IPEndPoint(IPAddress.Parse(address), 0) });
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        deadline.CancelAfter(RelayedTraffic.Deadline);
        await relay.BeginAsync();
        var addresses = new List<IPEndPoint>();
        int answered = 0;
        for (int number = 0; addresses.Count < Addresses; number++)
        {
            long roams = (await relay.CountAsync()).Roams;
            await client.SendToAsync(RelayedTraffic.Numbered(number), SocketFlags.None, relay.EndPoint, deadline.Token);
            SocketReceiveFromResult received = await server.ReceiveFromAsync(new byte[64], SocketFlags.None, server.LocalEndPoint!, deadline.Token);
            var sender = (IPEndPoint)received.RemoteEndPoint;
            if (!addresses.Contains(sender))
            {
                foreach (IPEndPoint old in addresses)
                {
                    await server.SendToAsync(RelayedTraffic.Numbered(ToOldAddress), SocketFlags.None, old, deadline.Token);
                }

                addresses.Add(sender);
            }

            await server.SendToAsync(RelayedTraffic.Numbered(number), SocketFlags.None, sender, deadline.Token);
            int? answer = ReceiveAnswer(client, number);
            answered += answer == number ? 1 : 0;
            Assert.True(answer == number || (await relay.CountAsync()).Roams > roams, $"{answer} in place of {number}");
        }

        Assert.InRange(answered, Addresses, int.MaxValue);
        Assert.Equal(1, (await relay.CountAsync()).Clients);
        Assert.Equal(IPAddress.Parse(address), addresses[0].Address);
        bool hasAddresses = !OperatingSystem.IsMacOS() && server.AddressFamily == AddressFamily.InterNetwork;
        Assert.Equal(hasAddresses ? Addresses : 1, addresses.Select(sender => sender.Address).Distinct().Count());
        Assert.False(recorder.Fault.IsCompleted);
    }

    // Null if there is none; an answer that was late is skipped.
    private static int? ReceiveAnswer(Socket client, int number)
    {
        byte[] answer = new byte[64];
        while (client.Poll(s_longestAnswer, SelectMode.SelectRead))
        {
            client.Receive(answer);
            int received = BinaryPrimitives.ReadInt32LittleEndian(answer);
            Assert.NotEqual(ToOldAddress, received);
            if (received == number)
            {
                return received;
            }
        }

        return null;
    }

    private static Socket Bind(string address)
    {
        var ip = IPAddress.Parse(address);
        var socket = new Socket(ip.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(ip, 0));
        return socket;
    }
}
