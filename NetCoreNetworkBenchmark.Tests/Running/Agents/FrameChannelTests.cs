using System.IO.Pipelines;
using System.Text.Json.Schema;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

public sealed class FrameChannelTests
{
    private static readonly TimeSpan s_short = TimeSpan.FromMilliseconds(100);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public void Every_type_of_frame_survives_JSON_on_one_line()
    {
        foreach (Frame frame in SampleFrames.All)
        {
            string line = Line(frame);
            Assert.DoesNotContain('\n', line);
            Frame read = JsonSerializer.Deserialize(line, FrameJson.Default.Frame)!;
            Assert.Equal(frame.GetType(), read.GetType());
            Assert.Equal(line, Line(read));

            // With the metadata of its own type alone, it is the same.
            byte[] sent = FrameJson.LineOf(frame);
            Assert.Equal($"{line}\n", Encoding.UTF8.GetString(sent));
            Assert.Equal(line, Line(FrameJson.Read(sent)));
        }

        Assert.Equal(
            typeof(Frame).Assembly.GetTypes().Where(type => type.BaseType == typeof(Frame)).Select(type => type.Name).Order(StringComparer.Ordinal),
            SampleFrames.All.Select(frame => frame.GetType().Name).Order(StringComparer.Ordinal));
    }

    // Nobody has to remember to raise a number.
    [Fact]
    public void ProtocolVersion_changes_with_each_property_of_a_frame_and_not_with_the_version_of_the_program()
    {
        string schema = FrameJson.Default.Frame.GetJsonSchemaAsNode().ToJsonString();
        Assert.Equal(HelloFrame.ProtocolVersion, HelloFrame.VersionOf(JsonNode.Parse(schema)!));
        Assert.DoesNotContain(ResultBuilder.HarnessVersion, schema, StringComparison.Ordinal);
        Type[] types = [typeof(HelloFrame), typeof(RunPlan), typeof(LivenessPlan), typeof(ClientReport), typeof(MessageCounters), typeof(ServerReport)];
        IEnumerable<string> names = types
            .SelectMany(type => type.GetProperties(BindingFlags.Instance | BindingFlags.Public))
            .Where(property => property.CanWrite)
            .Select(property => JsonNamingPolicy.CamelCase.ConvertName(property.Name));
        Assert.All([.. names, "ack", "Inspector"], name => Assert.Contains($"\"{name}\"", schema, StringComparison.Ordinal));
        Assert.NotEqual(HelloFrame.ProtocolVersion, HelloFrame.VersionOf(JsonNode.Parse(schema.Replace("\"ack\"", "\"acks\"", StringComparison.Ordinal))!));
    }

    [Theory, InlineData("0.0.1", true, true), InlineData("0.0.1", false, false), InlineData(null, false, true)]
    public void HasFramesOfThisBuild_compares_versions_only_for_another_build(string? version, bool isOfThisBuild, bool expected)
    {
        var hello = new HelloFrame(version ?? HelloFrame.ProtocolVersion, AgentRole.Client, SampleFrames.Plan);
        Assert.Equal(expected, (hello with { Build = isOfThisBuild ? HelloFrame.OwnBuild : "another" }).HasFramesOfThisBuild());
    }

    [Fact]
    public void The_plan_arrives_as_it_was()
    {
        var defaults = new RunPlan { Library = "Default" };
        Assert.Equal(defaults, PlanOf(defaults));
        RunPlan plan = PlanOf(SampleFrames.Plan);
        Assert.Equal(SampleFrames.Plan, plan);
        Assert.All(typeof(RunPlan).GetProperties(), property => Assert.NotEqual(property.GetValue(defaults), property.GetValue(plan)));

        static RunPlan PlanOf(RunPlan sent) => ((HelloFrame)FrameJson.Read(FrameJson.LineOf(new HelloFrame("1", AgentRole.Client, sent)))).Plan;
    }

    [Fact]
    public void Counters_arrive_as_they_were()
    {
        ResultFrame sent = SampleFrames.All.OfType<ResultFrame>().Single();
        var result = (ResultFrame)JsonSerializer.Deserialize(Line(sent), FrameJson.Default.Frame)!;
        Assert.Equal(sent.Relay, result.Relay);
        Assert.Equal(SampleFrames.Clients.Measured, result.Clients!.Measured);
        Assert.Equal(SampleFrames.Clients.Errors, result.Clients.Errors);
    }

    [Fact]
    public async Task Frames_arrive_in_their_order()
    {
        await using var pair = new ChannelPair();
        pair.Here.Send(new ReadyFrame("a"));
        pair.Here.Send(new ReadyFrame("b"));
        Assert.Equal(new ReadyFrame("a"), await pair.Other.ReceiveAsync(ChannelPair.Deadline, Token));
        Assert.Equal(new ReadyFrame("b"), await pair.Other.ReceiveAsync(ChannelPair.Deadline, Token));
    }

    [Fact]
    public async Task A_heartbeat_is_acknowledged_when_it_has_been_read()
    {
        await using var pair = new ChannelPair();
        Assert.False(pair.Here.HasReceived());
        pair.Here.Send(new ProgressFrame());
        Assert.IsType<ProgressFrame>(await pair.Other.ReceiveAsync(ChannelPair.Deadline, Token));
        pair.Other.Send(new GoFrame());
        Assert.IsType<GoFrame>(await pair.Here.ReceiveAsync(ChannelPair.Deadline, Token));
        Assert.True(pair.Here.HasReceived());
        Assert.False(pair.Here.HasReceived());
    }

    [Fact]
    public async Task Frames_that_many_threads_send_at_once_arrive_whole()
    {
        await using var pair = new ChannelPair();
        _ = pair.Other;
        string[] sent = [.. Enumerable.Range(0, 200).Select(number => new string((char)('a' + (number % 26)), number * 20))];
        await Task.WhenAll(sent.Select(text => Task.Run(() => pair.Here.Send(new ReadyFrame(text)), Token))).WaitAsync(ChannelPair.Deadline, Token);
        var received = new List<string>();
        while (received.Count < sent.Length)
        {
            received.Add(((ReadyFrame)await pair.Other.ReceiveAsync(ChannelPair.Deadline, Token)).EndPoint!);
        }

        Assert.Equal(sent, received.OrderBy(text => text.Length));
    }

    [Fact]
    public async Task ReceiveAsync_fails_at_its_deadline_and_takes_no_frame_away_from_the_next_call()
    {
        await using var pair = new ChannelPair();
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => pair.Here.ReceiveAsync(s_short, Token));
        Assert.Equal("The other has sent nothing for 0.1 s.", exception.Message);
        pair.Other.Send(new GoFrame());
        Assert.IsType<GoFrame>(await pair.Here.ReceiveAsync(ChannelPair.Deadline, Token));
    }

    [Theory]
    [InlineData("garbage")]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("{\"type\":\"unknown\"}")]
    [InlineData("{\"type\":\"phase\",\"phase\":\"x\"}")]
    [InlineData("{\"type\":\"go\"} {\"type\":\"go\"}")]
    [InlineData("{\"type\":\"hello\",\"role\":\"x\"}")]
    [InlineData("{\"type\":\"hello\",\"plan\":{\"duration\":\"x\"}}")]
    [InlineData("{\"type\":\"hello\",\"plan\":{\"settings\":null}}")]
    [InlineData("{\"type\":\"hello\",\"plan\":7}")]
    public async Task Line_that_is_no_frame_ends_the_channel_after_the_frames_before_it(string line)
    {
        await using var pair = new ChannelPair();
        await pair.SayAsync($"{Line(new GoFrame())}\n{line}\n{Line(new ByeFrame())}\n");
        Assert.IsType<GoFrame>(await pair.Here.ReceiveAsync(ChannelPair.Deadline, Token));
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => pair.Here.ReceiveAsync(ChannelPair.Deadline, Token));
        Assert.Equal("The other sent a line that is not a frame.", exception.Message);
        await pair.Here.Ended.WaitAsync(ChannelPair.Deadline, Token);
    }

    [Fact]
    public async Task An_input_that_ends_fails_whoever_waits()
    {
        await using var pair = new ChannelPair();
        Task receiving = pair.Here.ReceiveAsync(ChannelPair.Deadline, Token);
        await pair.SayAsync(Line(new GoFrame()));
        await pair.EndAsync();
        await pair.Here.Ended.WaitAsync(ChannelPair.Deadline, Token);
        Assert.Equal("The other has ended.", (await Assert.ThrowsAsync<BenchmarkException>(() => receiving)).Message);
    }

    [Fact]
    public async Task ReceiveAsync_returns_frames_of_a_sender_that_reads_nothing()
    {
        byte[] said = [.. SampleFrames.All.Skip(2).SelectMany(frame => JsonSerializer.SerializeToUtf8Bytes(frame, FrameJson.Default.Frame).Append((byte)'\n'))];
        await using var channel = new FrameChannel("The other", new MemoryStream(said), new BrokenStream());
        foreach (Frame frame in SampleFrames.All.Skip(2))
        {
            Assert.IsType(frame.GetType(), await channel.ReceiveAsync(ChannelPair.Deadline, Token));
        }
    }

    // The thread pool may not run it for seconds, as the library uses the pool.
    [Fact]
    public async Task Channel_beside_a_library_continues_on_its_own_thread()
    {
        await using var pair = new ChannelPair(besideLibrary: true);
        Task<string?> receives = ReceiveAsync(pair.Here);
        await pair.SayAsync($"{Line(new GoFrame())}\n");
        Assert.Equal("Read The other", await receives);
        static async Task<string?> ReceiveAsync(FrameChannel channel)
        {
            await channel.ReceiveAsync(ChannelPair.Deadline, Token).ConfigureAwait(false);
            return Thread.CurrentThread.Name;
        }
    }

    [Fact]
    public async Task A_line_that_never_ends_is_refused_and_not_kept()
    {
        using var endless = new EndlessStream();
        await using var channel = new FrameChannel("The other", endless, Stream.Null);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => channel.ReceiveAsync(ChannelPair.Deadline, Token));
        Assert.Equal("The other sent a line that is not a frame.", exception.Message);
        Assert.InRange(endless.BytesRead, LineReader.Longest, 1.1 * LineReader.Longest);
    }

    [Fact]
    public async Task A_line_of_almost_the_longest_length_arrives()
    {
        await using var pair = new ChannelPair();
        _ = pair.Other;
        string text = new('x', LineReader.Longest - 100);
        pair.Here.Send(new ReadyFrame(text));
        Assert.Equal(text, ((ReadyFrame)await pair.Other.ReceiveAsync(ChannelPair.Deadline, Token)).EndPoint);
    }

    [Fact]
    public async Task A_frame_longer_than_the_longest_line_arrives_and_the_next_line_is_limited_again()
    {
        await using var pair = new ChannelPair();
        string text = new('x', 2 * LineReader.Longest);
        pair.Here.Send(new ReadyFrame(text));
        pair.Here.Send(new GoFrame());
        Assert.Equal(text, ((ReadyFrame)await pair.Other.ReceiveAsync(ChannelPair.Deadline, Token)).EndPoint);
        Assert.IsType<GoFrame>(await pair.Other.ReceiveAsync(ChannelPair.Deadline, Token));

        byte[] announced = Encoding.UTF8.GetBytes($"{Line(new LengthFrame(text.Length))}\n{text}\n{text}");
        var lines = new LineReader(new MemoryStream(announced));
        lines.Announce(((LengthFrame)FrameJson.Read(lines.Read())).Bytes);
        Assert.Equal(text.Length, lines.Read()!.Length);
        Assert.Throws<FormatException>(lines.Read);
    }

    private static string Line(Frame frame) => JsonSerializer.Serialize(frame, FrameJson.Default.Frame);

    private sealed class BrokenStream : MemoryStream
    {
        public override void Write(ReadOnlySpan<byte> buffer) => throw new IOException("Broken pipe");
    }

    private sealed class EndlessStream : MemoryStream
    {
        public long BytesRead { get; private set; }

        public override int Read(byte[] buffer, int offset, int count)
        {
            buffer.AsSpan(offset, count).Fill((byte)'x');
            BytesRead += count;
            return count;
        }
    }
}

/// <summary>A pair of streams in memory, one in each direction, with a channel at one end. The other end is also a channel, or the plain streams.</summary>
internal sealed class ChannelPair : IAsyncDisposable
{
    public static readonly TimeSpan Deadline = TimeSpan.FromSeconds(60);

    private readonly Pipe _toHere = new();
    private readonly Pipe _toOther = new();
    private FrameChannel? _other;

    public ChannelPair(bool besideLibrary = false) =>
        Here = new FrameChannel("The other", _toHere.Reader.AsStream(), _toOther.Writer.AsStream(), besideLibrary);

    public FrameChannel Here { get; }
    public FrameChannel Other => _other ??= new FrameChannel("This one", OtherInput, OtherOutput);
    public Stream OtherInput => _toOther.Reader.AsStream(leaveOpen: true);
    public Stream OtherOutput => new EndedOutput(_toHere.Writer.AsStream(leaveOpen: true));

    public async Task SayAsync(string text) => await OtherOutput.WriteAsync(Encoding.UTF8.GetBytes(text), TestContext.Current.CancellationToken);

    public ValueTask EndAsync() => _toHere.Writer.CompleteAsync();

    public async ValueTask DisposeAsync()
    {
        await EndAsync();
        await Here.DisposeAsync();
        if (_other is not null)
        {
            await _other.DisposeAsync();
        }
    }

    /// <summary>A stream over a pipe that fails as a closed pipe of the system does.</summary>
    private sealed class EndedOutput(Stream inner) : MemoryStream
    {
        public override void Write(byte[] buffer, int offset, int count)
        {
            try
            {
                inner.Write(buffer, offset, count);
                inner.Flush();
            }
            catch (InvalidOperationException exception)
            {
                throw new IOException("The pipe has been closed.", exception);
            }
        }
    }
}
