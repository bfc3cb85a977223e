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
        Assert.Equal("No space left on device", stream.Failure!.Message);
        Assert.Equal(1, below.Writes);
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
