using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

internal enum Outcome
{
    Done,
    WantsRead,
    WantsWrite,
    Ended,
    Failed,
}

internal static class OutcomeExtensions
{
    public static Interest? Awaits(this Outcome outcome) => outcome switch
    {
        Outcome.WantsRead => Interest.Read,
        Outcome.WantsWrite => Interest.Write,
        _ => null,
    };
}

// The bytes of one connection over a socket, which the transport owns.
internal abstract class StreamTransport(int descriptor) : IDisposable
{
    // A message from this size is not copied to be behind its header. The system gathers the two.
    private const int SmallestGathered = 4096;

    /// <summary>Closes the descriptor if the transport that would own it cannot be created.</summary>
    public static Func<int, StreamTransport> Owning(Func<int, StreamTransport> create) => descriptor =>
    {
        try
        {
            return create(descriptor);
        }
        catch
        {
            _ = SysEpoll.close(descriptor);
            throw;
        }
    };

    /// <summary>The socket; -1 after the close, when the number may belong to another socket.</summary>
    public int Descriptor { get; private set; } = descriptor;

    public string Failure { get; protected set; } = string.Empty;

    /// <summary>Whether one more call of <see cref="Receive"/> is likely to return bytes.</summary>
    public abstract bool HasMore { get; }

    /// <summary>Whether bytes were read from the socket and not passed on yet. Readiness does not report them.</summary>
    public abstract bool HasBuffered { get; }

    /// <summary>Called again until it is done.</summary>
    public abstract Outcome Handshake();

    public virtual NegotiatedTls? Negotiated() => null;

    // If the call is done, the count is more than 0.
    public abstract Outcome Receive(Span<byte> buffer, out int count);

    // Bytes that were not accepted are passed again, before any others, when the transport can continue.
    public abstract Outcome Send(ReadOnlySpan<byte> bytes, out int count);

    public virtual bool CanGather => false;

    // One call for a message that is not behind its header in memory.
    public virtual Outcome SendGathered(ReadOnlySpan<byte> header, ReadOnlySpan<byte> message, out int count) => throw new NotSupportedException();

    // More calls are made only if the system accepts the message in parts. Bytes that were not accepted wait in the empty outbox.
    public Outcome Send(ReadOnlySpan<byte> message, Outbox rest)
    {
        if (rest.HeaderSize > 0 && (message.Length < SmallestGathered || !CanGather))
        {
            // The header and the message are contiguous in the outbox.
            rest.TryAdd(message);
            return Send(rest);
        }

        Span<byte> header = stackalloc byte[StreamFramer.LargestHeader];
        header = header[..rest.HeaderSize];
        rest.WriteHeader(message, header);
        int sent = 0;
        Outcome outcome = Outcome.Done;
        while (sent < header.Length + message.Length && outcome == Outcome.Done)
        {
            outcome = sent < header.Length
                ? SendGathered(header[sent..], message, out int count)
                : Send(message[(sent - header.Length)..], out count);
            sent += count;
        }

        if (sent < header.Length + message.Length)
        {
            rest.TryAdd(message);
            rest.Sent(sent);
        }

        return outcome;
    }

    // If messages are left after the most calls, the outcome is WantsWrite: a loop calls again when other connections have had their turn.
    public Outcome Send(Outbox waiting, int maxCalls = int.MaxValue)
    {
        Outcome outcome = Outcome.Done;
        for (int calls = 0; waiting.Length > 0 && outcome == Outcome.Done; calls++)
        {
            if (calls == maxCalls)
            {
                return Outcome.WantsWrite;
            }

            outcome = Send(waiting.Next.Span, out int count);
            waiting.Sent(count);
        }

        return outcome;
    }

    public void Dispose()
    {
        if (Descriptor >= 0)
        {
            Release();
            _ = SysEpoll.close(Descriptor);
            Descriptor = -1;
        }
    }

    // Sends close_notify, if the transport has it, and frees its resources. The socket is closed after that.
    protected internal abstract void Release();
}

internal sealed unsafe class PlainTransport(int descriptor) : StreamTransport(descriptor)
{
    private bool _wasFilled;

    // A call that did not fill the buffer has left nothing.
    public override bool HasMore => _wasFilled;

    public override bool HasBuffered => false;

    public override bool CanGather => true;

    public override Outcome Handshake() => Outcome.Done;

    public override Outcome Receive(Span<byte> buffer, out int count)
    {
        nint received;
        fixed (byte* bytes = buffer)
        {
            received = SysSocket.recv(Descriptor, bytes, (nuint)buffer.Length, 0);
        }

        count = (int)Math.Max(received, 0);
        _wasFilled = received == buffer.Length;
        return received > 0 ? Outcome.Done : received == 0 ? Outcome.Ended : FailedUnless(Outcome.WantsRead);
    }

    public override Outcome Send(ReadOnlySpan<byte> bytes, out int count)
    {
        fixed (byte* first = bytes)
        {
            return Sent(SysSocket.send(Descriptor, first, (nuint)bytes.Length, SysSocket.MSG_NOSIGNAL), out count);
        }
    }

    public override Outcome SendGathered(ReadOnlySpan<byte> header, ReadOnlySpan<byte> message, out int count)
    {
        SysSocket.IoVec* parts = stackalloc SysSocket.IoVec[2];
        fixed (byte* firstOfHeader = header, first = message)
        {
            parts[0] = new SysSocket.IoVec { iov_base = firstOfHeader, iov_len = (nuint)header.Length };
            parts[1] = new SysSocket.IoVec { iov_base = first, iov_len = (nuint)message.Length };
            var both = new SysSocket.MsgHdr { msg_iov = parts, msg_iovlen = 2 };
            return Sent(SysSocket.sendmsg(Descriptor, both, SysSocket.MSG_NOSIGNAL), out count);
        }
    }

    protected internal override void Release()
    {
        // The close of the socket is sufficient.
    }

    private Outcome Sent(nint sent, out int count)
    {
        count = (int)Math.Max(sent, 0);
        return sent > 0 ? Outcome.Done : FailedUnless(Outcome.WantsWrite);
    }

    private Outcome FailedUnless(Outcome waiting)
    {
        SocketError error = Errno.LastError();
        if (error is SocketError.WouldBlock or SocketError.Interrupted)
        {
            return waiting;
        }

        Failure = error.ToString();
        return Outcome.Failed;
    }
}
