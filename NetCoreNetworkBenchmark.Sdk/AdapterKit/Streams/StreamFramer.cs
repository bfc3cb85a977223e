using System.Buffers.Binary;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// Divides the bytes of one connection into messages, by <see cref="RunPlan.Framing"/>. A complete message is passed on in place. Only a message that is cut
/// by the end of the received data is copied. Not thread-safe.
/// </summary>
public sealed class StreamFramer(RunPlan plan)
{
    /// <summary>The size in bytes of the length before a message, with <see cref="Framing.Length"/>.</summary>
    public const int PrefixSize = 4;

    /// <summary>The largest request with <see cref="Framing.Http"/>, in bytes, as most servers limit it.</summary>
    public const int MaxRequest = 8 * 1024;

    /// <summary>The size in bytes of the header that is the largest.</summary>
    public const int LargestHeader = CheckedFrame.HeaderSize;

    /// <summary>The size in bytes from which messages are received where they are completed: one more copy of so many would be seen in their time.</summary>
    public const int SmallestLarge = 64 * 1024;

    private const int EmptyLine = 4;

    private readonly Framing _framing = plan.Framing;
    private readonly int _headerSize = HeaderSizeOf(plan);
    private readonly int _largest = plan.MessageSize;
    private readonly bool _isLarge = plan.Framing != Framing.Http && plan.MessageSize >= SmallestLarge;

    // The start of a message, with its prefix, whose end has not arrived yet; most connections never need it.
    private byte[] _part = [];
    private int _partLength;
    private long _heartbeats;

    /// <summary>
    /// The error in the received data, in a few words for an error's name; null if there is none. After an error the stream cannot be interpreted, so the
    /// connection must be closed.
    /// </summary>
    public string? Violation { get; private set; }

    /// <summary>Whether the start of a message has arrived but not its end: a connection that ends now was cut within a message.</summary>
    public bool HasPart => _partLength > 0;

    /// <summary>Gets the bytes of what is before each message; 0 if there is nothing.</summary>
    public static int HeaderSizeOf(RunPlan plan) => plan.Framing switch
    {
        Framing.Length => PrefixSize,
        Framing.Checked => CheckedFrame.HeaderSize,
        _ => 0,
    };

    /// <summary>Gets the bytes of a message on the stream, with what is before it.</summary>
    public static int SizeOnStream(RunPlan plan, int messageLength) => HeaderSizeOf(plan) + messageLength;

    /// <summary>Gets the size of the largest message that the framing can carry, without a prefix.</summary>
    public static int LargestOf(RunPlan plan) => plan.Framing == Framing.Http ? plan.MessageSize + MaxRequest : plan.MessageSize;

    /// <summary>
    /// The memory into which the next bytes of a plan with large messages are received: for the rest of the largest message and <see cref="SmallestLarge"/>
    /// bytes more. Bytes that are passed to <see cref="TryTake"/> from there are not copied. Empty if messages are not large.
    /// </summary>
    public Span<byte> ReceiveBuffer
    {
        get
        {
            if (!_isLarge)
            {
                return default;
            }

            Reserve();
            return _part.AsSpan(_partLength);
        }
    }

    /// <summary>Returns the number of heartbeats (<see cref="Framing.Checked"/>) that were received since the last call.</summary>
    public long TakeHeartbeats()
    {
        long heartbeats = _heartbeats;
        _heartbeats = 0;
        return heartbeats;
    }

    /// <summary>
    /// Takes the next message, valid until the next call, from the front of the received data. It must be called until it returns false, with the same
    /// variable: the rest has been kept then, or <see cref="Violation"/> contains the error.
    /// </summary>
    public bool TryTake(ref ReadOnlySpan<byte> received, out ReadOnlySpan<byte> message)
    {
        if (_framing == Framing.Http)
        {
            return TryTakeRequest(ref received, out message);
        }

        while (Violation is null && TryTakeFrame(ref received, out ReadOnlySpan<byte> frame))
        {
            if (_framing != Framing.Checked || IsMessage(frame))
            {
                message = frame[_headerSize..];
                return true;
            }
        }

        message = default;
        return false;
    }

    private bool TryTakeFrame(ref ReadOnlySpan<byte> received, out ReadOnlySpan<byte> frame)
    {
        if (_partLength > 0)
        {
            return TryComplete(ref received, out frame);
        }

        if (TryMeasure(received, out int size) && received.Length >= size)
        {
            frame = received[..size];
            received = received[size..];
            return true;
        }

        frame = default;
        if (Violation is null && !received.IsEmpty)
        {
            Keep(ref received, received.Length);
        }

        return false;
    }

    private bool IsMessage(ReadOnlySpan<byte> frame)
    {
        switch (CheckedFrame.TypeOf(frame))
        {
            case CheckedFrame.FrameType.Message:
                return true;
            case CheckedFrame.FrameType.Heartbeat:
                _heartbeats++;
                return false;
            default:
                Violation = "received a frame with a wrong check code";
                return false;
        }
    }

    private bool TryTakeRequest(ref ReadOnlySpan<byte> received, out ReadOnlySpan<byte> message)
    {
        message = default;
        if (_partLength == 0 && received.IndexOf("\r\n\r\n"u8) is var found and >= 0)
        {
            message = received[..(found + EmptyLine)];
            received = received[(found + EmptyLine)..];
            return true;
        }

        if (received.IsEmpty)
        {
            return false;
        }

        if (_part.Length == 0)
        {
            _part = new byte[MaxRequest];
        }

        int before = _partLength;
        int count = Math.Min(received.Length, MaxRequest - before);
        received[..count].CopyTo(_part.AsSpan(before));
        int end = _part.AsSpan(0, before + count).IndexOf("\r\n\r\n"u8);
        if (end >= 0)
        {
            _partLength = 0;
            message = _part.AsSpan(0, end + EmptyLine);
            received = received[(end + EmptyLine - before)..];
            return true;
        }

        _partLength = before + count;
        received = received[count..];
        Violation = _partLength == MaxRequest ? "received a request without an end" : null;
        return false;
    }

    private bool TryComplete(ref ReadOnlySpan<byte> received, out ReadOnlySpan<byte> frame)
    {
        frame = default;
        int size;
        while (!TryMeasure(_part.AsSpan(0, _partLength), out size))
        {
            if (Violation is not null || received.IsEmpty)
            {
                return false;
            }

            // The header itself is cut.
            Keep(ref received, Math.Min(_headerSize - _partLength, received.Length));
        }

        Keep(ref received, Math.Min(size - _partLength, received.Length));
        if (_partLength < size)
        {
            return false;
        }

        _partLength = 0;
        frame = _part.AsSpan(0, size);
        return true;
    }

    // Gets the size of the next message on the stream, with its header; false if it is not known yet, or if the header is not valid.
    private bool TryMeasure(ReadOnlySpan<byte> bytes, out int size)
    {
        size = _largest;
        if (_framing == Framing.Fixed)
        {
            return true;
        }

        if (bytes.Length < _headerSize)
        {
            return false;
        }

        if (_framing == Framing.Checked)
        {
            Violation = CheckedFrame.FindFault(bytes, _largest);
            size = CheckedFrame.LengthOf(bytes);
            return Violation is null;
        }

        int length = BinaryPrimitives.ReadInt32BigEndian(bytes);
        if (length <= 0 || length > _largest)
        {
            Violation = "received a message of an invalid length";
            return false;
        }

        size = length + PrefixSize;
        return true;
    }

    private void Keep(ref ReadOnlySpan<byte> received, int count)
    {
        Reserve();
        received[..count].CopyTo(_part.AsSpan(_partLength));
        _partLength += count;
        received = received[count..];
    }

    private void Reserve()
    {
        if (_part.Length == 0)
        {
            _part = GC.AllocateUninitializedArray<byte>(_headerSize + _largest + (_isLarge ? SmallestLarge : 0));
        }
    }
}
