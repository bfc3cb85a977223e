namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Messages that are larger than the packets of their path, in a network namespace of the test's own.</summary>
public sealed class SmallPacketTests
{
    private const string Divided = "A message of 1,400 bytes exceeds one packet of the path (1,280 bytes with its headers): " +
        "it is split, and one lost packet loses or delays the whole message.";

    private const string FellBack = "The packets of the path are too small for datagrams of 1,400 bytes, so Epoll's batch=gso sent them as mmsg does.";

    [Theory]
    [InlineData("-l Epoll --set epoll.batch=gso -s 1400", Divided, FellBack)]
    [InlineData("-l Epoll --set epoll.batch=gso -s 1400 -a ::1", Divided, FellBack, Traits = ["Category", "Long"])]
    [InlineData("-l Sockets -s 1400", Divided)]
    [InlineData("-l Epoll --set epoll.batch=gso -s 1252", Traits = ["Category", "Long"])]
    [InlineData("-l Sockets -P Tcp -s 1400", Traits = ["Category", "Long"])]
    public async Task A_message_of_more_than_one_packet_arrives_and_is_remarked(string load, params string[] remarks)
    {
        (int code, string output, string errors) = await BenchmarkProcess.RunThroughAsync(
            ["unshare", "-n", "sh", "-c", "ip link set lo up mtu 1280 && exec \"$@\"", "sh"],
            $"{load} -c 2 -m 8 -p 0 --warmup 0.1 -d 0.2 --any-machine --json".Split(' '));
        Assert.SkipWhen(errors.Contains("unshare failed", StringComparison.Ordinal), "This user cannot make a network namespace.");
        Assert.True(code == 0, errors + output);
        RunResult run = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.Equal((0, 0), (run.Lost, run.Errors));

        // Whether both sides count at one rate depends on the machine.
        IEnumerable<string> ofPackets = run.Remarks.Where(remark => remark.Contains("packet", StringComparison.Ordinal));
        Assert.Equal(remarks.Order(StringComparer.Ordinal), ofPackets.Order(StringComparer.Ordinal));
    }
}
