namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>
/// Reads the lines of a stream and blocks the calling thread. Regardless of the length of a line, no more than the longest allowed is held in memory.
/// </summary>
internal sealed class LineReader(Stream input)
{
    /// <summary>
    /// The longest line in bytes. A result with its histograms takes some 300 KiB, and some 1 MiB with ten thousand iterations. A much longer line is not
    /// from this program.
    /// </summary>
    public const int Longest = 4 * 1024 * 1024;

    private const int BufferSize = 64 * 1024;

    private byte[] _buffer = new byte[BufferSize];
    private int _start;
    private int _end;

    /// <returns>The line without its end; null at the end of the input. Input without a line end is not a line: its sender broke off.</returns>
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
            if (looked > Longest)
            {
                throw new FormatException($"A line is longer than {Longest} bytes.");
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
            Array.Resize(ref _buffer, Math.Min(2 * _buffer.Length, Longest + BufferSize));
        }
    }
}
