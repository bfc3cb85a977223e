namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class StandardStreamTests
{
    [Fact]
    public void What_is_written_arrives()
    {
        using var below = new MemoryStream();
        using var stream = new StandardStream(1, below);
        using TextWriter writer = stream.CreateWriter();
        writer.NewLine = "\n";
        writer.WriteLine("one");
        writer.Write('2');
        writer.Write(['3', '4'], 0, 1);
        writer.WriteLine();
        writer.Flush();
        Assert.Equal(("one\n23\n", null), (System.Text.Encoding.UTF8.GetString(below.ToArray()), stream.Failure));
    }

    [Fact]
    public void After_a_failure_nothing_is_thrown_and_the_reason_is_kept()
    {
        using var below = new FullDisk();
        using var stream = new StandardStream(1, below);
        using TextWriter writer = stream.CreateWriter();
        writer.WriteLine("one");
        writer.WriteLine("two");
        writer.Flush();
        Assert.Equal(("No space left on device", 1), (stream.Failure!.Message, below.Writes));
    }

    [Fact]
    public async Task Write_returns_while_the_reader_pauses_and_the_newest_text_is_kept()
    {
        using var below = new PausedReader();
        using var stream = new StandardStream(2, below);
        using var after = new StandardStream(1, below) { After = stream };
        stream.WriteInBackground();
        byte[] line = new byte[1 << 16];
        stream.Write(line);
        below.AwaitWrite();
        for (byte number = 1; number < 100; number++)
        {
            line.AsSpan().Fill(number);
            stream.Write(line);
        }

        Assert.Equal(0, below.Length);
        stream.Drain(TimeSpan.Zero);
        Task writing = Task.Run(() => after.Write([200]), TestContext.Current.CancellationToken);
        below.GoOn();
        await writing.WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
        byte[] arrived = below.ToArray();
        Assert.InRange(arrived.Length, 1 << 20, 2 << 20);
        Assert.Equal((0, 99, 200), (arrived[0], arrived[^2], arrived[^1]));
        Assert.True(arrived.Order().SequenceEqual(arrived));
    }

    [Fact]
    public void Text_in_the_background_arrives_in_order()
    {
        using var below = new MemoryStream();
        using var stream = new StandardStream(2, below);
        stream.WriteInBackground();
        using TextWriter writer = stream.CreateWriter();
        string[] lines = [.. Enumerable.Range(0, 1_000).Select(number => $"line {number}\n")];
        Array.ForEach(lines, writer.Write);
        stream.Drain(Timeout.InfiniteTimeSpan);
        Assert.Equal(string.Concat(lines), System.Text.Encoding.UTF8.GetString(below.ToArray()));
    }

    private sealed class PausedReader : MemoryStream
    {
        private readonly ManualResetEventSlim _begun = new();
        private readonly ManualResetEventSlim _goesOn = new();

        public void AwaitWrite() => Assert.True(_begun.Wait(TimeSpan.FromMinutes(1)));

        public void GoOn() => _goesOn.Set();

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            _begun.Set();
            Assert.True(_goesOn.Wait(TimeSpan.FromMinutes(1)));
            base.Write(buffer);
        }

        protected override void Dispose(bool disposing)
        {
            _begun.Dispose();
            _goesOn.Dispose();
            base.Dispose(disposing);
        }
    }

    private sealed class FullDisk : MemoryStream
    {
        public int Writes { get; private set; }

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            Writes++;
            throw new IOException("No space left on device");
        }
    }
}
