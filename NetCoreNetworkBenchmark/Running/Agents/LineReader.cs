namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>The lines of a stream, which the calling thread waits for. However long a line is, no more is held in memory than the longest that is allowed.</summary>
/// <param name="input">The stream.</param>
/// <param name="longest">The longest line, in bytes.</param>
/// <param name="said">What was read of the stream before.</param>
internal sealed class LineReader(Stream input, int longest = LineReader.Longest, ReadOnlyMemory<byte> said = default)
{
    /// <summary>A result with its histograms takes some 300 KiB, and some 1 MiB with ten thousand iterations; what is much longer is not ours.</summary>
    public const int Longest = 4 * 1024 * 1024;

    private const int BufferSize = 64 * 1024;

    private byte[] _buffer = said.IsEmpty ? new byte[BufferSize] : said.ToArray();
    private int _start;
    private int _end = said.Length;

    /// <summary>Reads the next line.</summary>
    /// <returns>The line without its end; null where the input ends. What has no end is no line: who wrote it broke off.</returns>
    /// <exception cref="FormatException">The line is too long.</exception>
    public byte[]? Read()
    {
        int looked = 0;
        while (true)
        {
            ReadOnlySpan<byte> held = _buffer.AsSpan(_start, _end - _start);
            int length = held[looked..].IndexOf((byte)'\n');
            if (length >= 0)
            {
                byte[] line = held[..(looked + length)].ToArray();
                _start += line.Length + 1;
                return line;
            }

            looked = held.Length;
            if (looked > longest)
            {
                throw new FormatException($"A line is longer than {longest} bytes.");
            }

            MakeRoom();
            int read = input.Read(_buffer, _end, _buffer.Length - _end);
            if (read == 0)
            {
                return null;
            }

            _end += read;
        }
    }

    private void MakeRoom()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        (_start, _end) = (0, _end - _start);
        if (_end == _buffer.Length)
        {
            Array.Resize(ref _buffer, Math.Min(2 * _buffer.Length, longest + BufferSize));
        }
    }
}
