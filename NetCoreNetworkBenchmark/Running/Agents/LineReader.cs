using System.Buffers;
using System.IO.Pipelines;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>The lines of a stream. However long a line is, no more is held in memory than the longest that is allowed.</summary>
internal sealed class LineReader(Stream input) : IDisposable
{
    /// <summary>A result with its histograms takes some 300 KiB, and some 1 MiB with ten thousand iterations; what is much longer is not ours.</summary>
    public const int Longest = 4 * 1024 * 1024;

    private const int BufferSize = 64 * 1024;

    // The stream is not ours to close: it may be standard input, or one with the output.
    private readonly PipeReader _reader = PipeReader.Create(input, new StreamPipeReaderOptions(bufferSize: BufferSize, leaveOpen: true));

    /// <summary>Reads the next line.</summary>
    /// <returns>The line without its end; null where the input ends. What has no end is no line: who wrote it broke off.</returns>
    /// <exception cref="FormatException">The line is too long.</exception>
    public async Task<byte[]?> ReadAsync()
    {
        while (true)
        {
            ReadResult read = await _reader.ReadAsync().ConfigureAwait(false);
            ReadOnlySequence<byte> buffer = read.Buffer;
            if (buffer.PositionOf((byte)'\n') is { } end)
            {
                byte[] line = buffer.Slice(0, end).ToArray();
                _reader.AdvanceTo(buffer.GetPosition(1, end));
                return line;
            }

            if (buffer.Length > Longest)
            {
                throw new FormatException($"A line is longer than {Longest} bytes.");
            }

            _reader.AdvanceTo(buffer.Start, buffer.End);
            if (read.IsCompleted)
            {
                return null;
            }
        }
    }

    public void Dispose() => _reader.Complete();
}
