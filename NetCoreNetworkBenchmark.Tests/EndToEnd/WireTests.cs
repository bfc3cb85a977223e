namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>
/// All bytes of one connection of a real run, as a relay between the sides saw them, read by a decoder that was written from Docs/protocol.md alone.
/// </summary>
[Trait("Category", "Long")]
public sealed class WireTests
{
    private const int InFlight = 3;

    // The tag at the start of a message that has room for it: client, number, slot and check of 4 bytes each.
    private const int TagSize = 16;
    private const int NumberOffset = 4;
    private const int SlotOffset = 8;
    private const byte Load = 0xff;

    /// <summary>Every library over TCP, with sizes of messages and their count.</summary>
    public static IEnumerable<TheoryDataRow<string, int, int>> Sizes() =>
        from row in OverTcp()
        from run in ((int Size, int Count)[])[(1, 1_000), (100, 1_000), (1_000_000, 10)]
        select new TheoryDataRow<string, int, int>(row.Data.Item1, run.Size, run.Count) { Traits = row.Traits };

    public static IEnumerable<TheoryDataRow<string>> Servers() =>
        from row in OverTcp()
        select new TheoryDataRow<string>(row.Data.Item1) { Traits = row.Traits };

    [Theory, MemberData(nameof(Sizes))]
    public async Task All_that_is_on_the_wire_is_packages_with_the_messages_and_their_answers(string library, int size, int count)
    {
        (DecodedStream toServer, DecodedStream toClient) = await RunAsync(library, size, $"-t FixedCount --count {count}", $"-m {InFlight} -d 60");
        Assert.Equal((0, 0), (toServer.Heartbeats, toClient.Heartbeats));
        Assert.Equal(count, toServer.Messages.Count);
        for (int index = 0; index < count; index++)
        {
            AssertIsMessage(toServer.Messages[index], number: index + 1, size);
        }

        Assert.True(toClient.HasMessages(toServer.Messages), $"{toClient.Messages.Count} answers are not the {count} messages.");
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task Heartbeats_of_both_sides_are_on_the_wire_between_messages(string library)
    {
        (DecodedStream toServer, DecodedStream toClient) = await RunAsync(
            library, size: 100, "-t RoundTrip --heartbeat 200ms --heartbeat-misses 100", "--rate 1 --warmup 0.1 -d 1.3");
        Assert.InRange(toServer.Heartbeats, 1, 30);
        Assert.InRange(toClient.Heartbeats, 1, 30);
        Assert.InRange(toServer.Messages.Count, 1, 4);
        Assert.True(toClient.HasMessages(toServer.Messages), "The answers are not the messages.");
    }

    private static IEnumerable<TheoryDataRow<string, Protocol>> OverTcp() =>
        LibraryUnderTest.OneInPlain(LibraryUnderTest.OverTcp(), "Kestrel").Where(row => row.Data.Item2 == Protocol.Tcp);

    // Runs server and clients by hand with a relay between them. Lengths, types and check codes are right when all is decoded and nothing is left.
    private static async Task<(DecodedStream ToServer, DecodedStream ToClient)> RunAsync(string library, int size, string test, string load)
    {
        LibraryUnderTest.Create(library);
        string common = $"-l {library} -P Tcp --framing Checked -s {size} -c 1 {test}";
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync(common);
        await using var relay = new RecordingRelay(int.Parse(server.Port, CultureInfo.InvariantCulture));
        (int code, _, string errors) = await ProgramInFolder.RunLineAsync($"--role Client -p {relay.Port} {common} {load} -x Ones --any-machine");

        // On a busy machine the clients are late, or stand still, and the run is invalid.
        Assert.True(code == 0 || errors.Contains("Invalid: ", StringComparison.Ordinal), errors);
        RecordedConnection recorded = Assert.Single(await relay.EndAsync());
        return (Decode(recorded.ToServer, size), Decode(recorded.ToClient, size));
    }

    private static DecodedStream Decode(byte[] bytes, int size)
    {
        var decoded = DecodedStream.Decode(bytes, size);
        Assert.Equal((PackageFaults.None, bytes.Length, 0), (decoded.Faults, decoded.Taken, decoded.Left));
        return decoded;
    }

    private static void AssertIsMessage(byte[] message, int number, int size)
    {
        Assert.Equal(size, message.Length);
        ReadOnlySpan<byte> load = message;
        if (size >= TagSize)
        {
            Assert.Equal((1, number), (IntAt(message, 0), IntAt(message, NumberOffset)));
            Assert.InRange(IntAt(message, SlotOffset), 0, InFlight - 1);
            load = load[TagSize..];
        }

        Assert.False(load.ContainsAnyExcept(Load), $"Message {number} has another load than was sent.");
    }

    private static int IntAt(byte[] message, int offset) => BitConverter.ToInt32(message, offset);
}

/// <summary>Stands between the clients and a server that was started separately over a stream, and records the bytes of its connections.</summary>
internal sealed class RecordingRelay(int server) : TcpServer
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(1);
    private readonly List<Task<RecordedConnection>> _recorded = [];

    /// <summary>Waits for the ends of the connections, and returns the bytes of each.</summary>
    public Task<RecordedConnection[]> EndAsync() => Task.WhenAll(_recorded).WaitAsync(s_deadline, TestContext.Current.CancellationToken);

    protected override Task ServeAsync(NetworkStream connection)
    {
        _recorded.Add(RecordAsync(connection));
        return _recorded[^1];
    }

    private async Task<RecordedConnection> RecordAsync(NetworkStream client)
    {
        using var connection = new TcpClient { NoDelay = true };
        await connection.ConnectAsync(IPAddress.Loopback, server, Stopping);
        Task<byte[]> toServer = ForwardAsync(client, connection.GetStream());
        Task<byte[]> toClient = ForwardAsync(connection.GetStream(), client);
        await Task.WhenAll(toServer, toClient);
        return new RecordedConnection(await toServer, await toClient);
    }

    private async Task<byte[]> ForwardAsync(NetworkStream from, NetworkStream to)
    {
        using var all = new MemoryStream();
        byte[] buffer = new byte[64 * 1024];
        int length;
        try
        {
            while ((length = await from.ReadAsync(buffer, Stopping)) > 0)
            {
                all.Write(buffer, 0, length);
                await to.WriteAsync(buffer.AsMemory(0, length), Stopping);
            }

            to.Socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception exception) when (exception is IOException or SocketException)
        {
            // A side that closes while a heartbeat is on its way to it resets the connection. That is its end.
            return all.ToArray();
        }

        return all.ToArray();
    }
}

internal sealed record RecordedConnection(byte[] ToServer, byte[] ToClient);
