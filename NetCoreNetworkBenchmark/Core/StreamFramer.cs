using System.Buffers.Binary;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// Divides the bytes of one connection into messages, as <see cref="RunPlan.Framing"/> says. A message that arrived whole is handed on where
/// it lies; only one that is cut by the end of what was received is copied. Not for several threads at once.
/// </summary>
public sealed class StreamFramer
{
    /// <summary>Bytes of the length before a message, with <see cref="Framing.Length"/>.</summary>
    public const int PrefixSize = 4;

    private readonly Framing _framing;
    private readonly int _largest;

    // A message, with its prefix, of which only the begin has come; most connections never need it.
    private byte[] _part = [];
    private int _partLength;

    /// <summary>Creates the framer of one connection.</summary>
    /// <param name="plan">The plan of the run.</param>
    public StreamFramer(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        _framing = plan.Framing;
        _largest = plan.MessageSize;
    }

    /// <summary>
    /// What is wrong with what was received, in a few words for an error's name; null while all is well. After that nothing can be made of
    /// the stream: the connection is to be closed and the error counted.
    /// </summary>
    public string? Violation { get; private set; }

    /// <summary>Whether the begin of a message has come and not its end: a connection that ends now was cut within a message.</summary>
    public bool HasPart => _partLength > 0;

    /// <summary>Bytes that a message takes on the stream.</summary>
    /// <param name="plan">The plan of the run.</param>
    /// <param name="messageLength">Bytes of the message.</param>
    /// <returns>The bytes, with the prefix where there is one.</returns>
    public static int SizeOnStream(RunPlan plan, int messageLength)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return plan.Framing == Framing.Length ? messageLength + PrefixSize : messageLength;
    }

    /// <summary>Takes the next message off what was received. Call it until it returns false, with the same variable.</summary>
    /// <param name="received">What was received; what has been taken is cut off at its front.</param>
    /// <param name="message">The message, valid until the next call.</param>
    /// <returns>False where no whole message is left; what is left has been kept, or <see cref="Violation"/> says what is wrong.</returns>
    public bool TryTake(ref ReadOnlySpan<byte> received, out ReadOnlySpan<byte> message)
    {
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

            // The prefix itself was cut.
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

    // Bytes of the next message on the stream; false where that cannot be known yet, or where it cannot be.
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
