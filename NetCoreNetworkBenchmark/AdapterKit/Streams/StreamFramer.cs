using System.Buffers.Binary;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// Divides the bytes of one connection into messages, by <see cref="RunPlan.Framing"/>. A complete message is passed on in place. Only a message that
/// is cut by the end of the received data is copied. Not thread-safe.
/// </summary>
internal sealed class StreamFramer(RunPlan plan)
{
    /// <summary>The size in bytes of the length before a message, with <see cref="Framing.Length"/>.</summary>
    public const int PrefixSize = 4;

    /// <summary>The largest request with <see cref="Framing.Http"/>, in bytes, as most servers limit it.</summary>
    public const int MostRequest = 8 * 1024;

    private const int EmptyLine = 4;

    private readonly Framing _framing = plan.Framing;
    private readonly int _largest = plan.MessageSize;

    // The start of a message, with its prefix, whose end has not arrived yet; most connections never need it.
    private byte[] _part = [];
    private int _partLength;

    /// <summary>
    /// The error in the received data, in a few words for an error's name; null if there is none. After an error the stream cannot be interpreted:
    /// the connection must be closed and the error counted.
    /// </summary>
    public string? Violation { get; private set; }

    /// <summary>Whether the start of a message has arrived but not its end: a connection that ends now was cut within a message.</summary>
    public bool HasPart => _partLength > 0;

    /// <summary>Gets the size of a message on the stream.</summary>
    /// <returns>The size in bytes, with the prefix if there is one.</returns>
    public static int SizeOnStream(RunPlan plan, int messageLength) =>
        plan.Framing == Framing.Length ? messageLength + PrefixSize : messageLength;

    /// <summary>Gets the size of the largest message that the framing can carry, without a prefix.</summary>
    public static int LargestOf(RunPlan plan) => plan.Framing == Framing.Http ? plan.MessageSize + MostRequest : plan.MessageSize;

    /// <summary>Takes the next message from the received data. It must be called until it returns false, with the same variable.</summary>
    /// <param name="received">The received data; the part that has been taken is removed from its front.</param>
    /// <param name="message">The message, valid until the next call.</param>
    /// <returns>
    /// True if a message was taken. False if no complete message is left: the rest has been kept, or <see cref="Violation"/> contains the error.
    /// </returns>
    public bool TryTake(ref ReadOnlySpan<byte> received, out ReadOnlySpan<byte> message)
    {
        if (_framing == Framing.Http)
        {
            return TryTakeRequest(ref received, out message);
        }

        if (_partLength > 0)
        {
            return TryComplete(ref received, out message);
        }

        if (TryMeasure(received, out int size) && received.Length >= size)
        {
            message = ContentOf(received[..size]);
            received = received[size..];
            return true;
        }

        message = default;
        if (Violation is null && !received.IsEmpty)
        {
            Keep(ref received, received.Length);
        }

        return false;
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
            _part = new byte[MostRequest];
        }

        int before = _partLength;
        int count = Math.Min(received.Length, MostRequest - before);
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
        Violation = _partLength == MostRequest ? "got a request without an end" : null;
        return false;
    }

    private bool TryComplete(ref ReadOnlySpan<byte> received, out ReadOnlySpan<byte> message)
    {
        message = default;
        int size;
        while (!TryMeasure(_part.AsSpan(0, _partLength), out size))
        {
            if (Violation is not null || received.IsEmpty)
            {
                return false;
            }

            // The prefix itself is cut.
            Keep(ref received, Math.Min(PrefixSize - _partLength, received.Length));
        }

        Keep(ref received, Math.Min(size - _partLength, received.Length));
        if (_partLength < size)
        {
            return false;
        }

        _partLength = 0;
        message = ContentOf(_part.AsSpan(0, size));
        return true;
    }

    // Gets the size of the next message on the stream; false if it is not known yet, or if the length is not valid.
    private bool TryMeasure(ReadOnlySpan<byte> bytes, out int size)
    {
        size = _largest;
        if (_framing == Framing.Fixed)
        {
            return true;
        }

        if (bytes.Length < PrefixSize)
        {
            return false;
        }

        int length = BinaryPrimitives.ReadInt32BigEndian(bytes);
        if (length <= 0 || length > _largest)
        {
            Violation = "got a message of a length that cannot be";
            return false;
        }

        size = length + PrefixSize;
        return true;
    }

    private ReadOnlySpan<byte> ContentOf(ReadOnlySpan<byte> framed) => _framing == Framing.Length ? framed[PrefixSize..] : framed;

    private void Keep(ref ReadOnlySpan<byte> received, int count)
    {
        if (_part.Length == 0)
        {
            _part = new byte[_framing == Framing.Length ? _largest + PrefixSize : _largest];
        }

        received[..count].CopyTo(_part.AsSpan(_partLength));
        _partLength += count;
        received = received[count..];
    }
}
