namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class ReportingWriterTests
{
    [Fact]
    public void What_is_written_arrives_with_the_line_ends_of_the_writer_below()
    {
        using var below = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        using var writer = new ReportingWriter(below);
        writer.WriteLine("one");
        writer.Write('2');
        writer.Write(['3', '4'], 0, 1);
        writer.WriteLine();
        writer.Flush();
        Assert.Equal(("one\n23\n", null), (below.ToString(), writer.Failure));
    }

    [Fact]
    public void After_a_failure_nothing_is_thrown_and_the_reason_is_kept()
    {
        using var below = new FullDisk();
        using var writer = new ReportingWriter(below);
        writer.WriteLine("one");
        writer.WriteLine("two");
        writer.Flush();
        Assert.Equal("No space left on device", writer.Failure!.Message);
        Assert.Equal(1, below.Writes);
    }

    private sealed class FullDisk : StringWriter
    {
        public FullDisk()
            : base(CultureInfo.InvariantCulture)
        {
        }

        public int Writes { get; private set; }

        public override void Write(ReadOnlySpan<char> buffer)
        {
            Writes++;
            throw new IOException("No space left on device");
        }
    }
}
