using System.Buffers.Text;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Connections;

// An answer of HTTP/1.1 (RFC 9112) on a connection that the server closes: complete at the length in its head, or else at the end of the connection.
internal sealed class HttpAnswer(bool acceptsAnyStatus = false)
{
    private const int MaxHeadBytes = 8 * 1024;
    private const int EmptyLine = 4;
    private const long Unknown = -1;

    private byte[] _head = new byte[512];
    private int _headLength;
    private long _left;

    public bool HasHead { get; private set; }

    public bool IsComplete { get; private set; }

    public string? Fault { get; private set; }

    public void Clear() => (_headLength, _left, HasHead, IsComplete, Fault) = (0, 0, false, false, null);

    public void Add(ReadOnlySpan<byte> bytes)
    {
        if (!HasHead)
        {
            bytes = AddToHead(bytes);
        }

        if (HasHead && Fault is null && _left >= 0)
        {
            _left -= bytes.Length;
            IsComplete = _left == 0;
            Fault = _left < 0 ? "the server sent more than it announced" : null;
        }
    }

    public void End()
    {
        IsComplete |= HasHead && _left == Unknown;
        Fault ??= IsComplete ? null : "the server closed the connection before the end of its answer";
    }

    private ReadOnlySpan<byte> AddToHead(ReadOnlySpan<byte> bytes)
    {
        int before = _headLength;
        int count = Math.Min(bytes.Length, MaxHeadBytes - before);
        if (_head.Length < before + count)
        {
            Array.Resize(ref _head, Math.Max(before + count, 2 * _head.Length));
        }

        bytes[..count].CopyTo(_head.AsSpan(before));
        _headLength += count;
        int end = _head.AsSpan(0, _headLength).IndexOf("\r\n\r\n"u8);
        if (end < 0)
        {
            Fault = _headLength == MaxHeadBytes ? "the server's answer has a head without an end" : null;
            return [];
        }

        HasHead = true;
        Read(_head.AsSpan(0, end));
        return bytes[(end + EmptyLine - before)..];
    }

    private void Read(ReadOnlySpan<byte> head)
    {
        int endOfStatus = head.IndexOf((byte)'\r');
        ReadOnlySpan<byte> status = endOfStatus < 0 ? head : head[..endOfStatus];
        if (status.Length < "HTTP/1.1".Length || !status.StartsWith("HTTP/1."u8)
            || (!acceptsAnyStatus && !status["HTTP/1.1".Length..].StartsWith(" 200"u8)))
        {
            Fault = $"the server answered '{System.Text.Encoding.ASCII.GetString(status[..Math.Min(status.Length, 40)])}'";
            return;
        }

        _left = Unknown;
        foreach (Range line in head.Split("\r\n"u8))
        {
            ReadOnlySpan<byte> field = head[line];
            int colon = field.IndexOf((byte)':');
            if (colon > 0
                && System.Text.Ascii.EqualsIgnoreCase(field[..colon], "content-length"u8)
                && Utf8Parser.TryParse(field[(colon + 1)..].Trim((byte)' '), out long length, out _))
            {
                _left = length;
            }
        }
    }
}
