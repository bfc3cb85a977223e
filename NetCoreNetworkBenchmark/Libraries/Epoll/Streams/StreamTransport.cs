using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>The outcome of a call of a <see cref="StreamTransport"/>.</summary>
internal enum Outcome
{
    /// <summary>The call succeeded.</summary>
    Done,

    /// <summary>The call can continue when there are bytes to read.</summary>
    WantsRead,

    /// <summary>The call can continue when there is room to write.</summary>
    WantsWrite,

    /// <summary>The other side has ended its stream regularly.</summary>
    Ended,

    /// <summary>The connection can no longer be used; <see cref="StreamTransport.Failure"/> is the reason.</summary>
    Failed,
}

/// <summary>Transports the bytes of one connection over a non-blocking socket, which it owns. Its calls never wait.</summary>
internal abstract class StreamTransport(int descriptor) : IDisposable
{
    // A message from this size is not copied to be behind its header. The system gathers the two.
    private const int SmallestGathered = 4096;

    /// <summary>The socket; -1 after the close, when the number may belong to another socket.</summary>
    public int Descriptor { get; private set; } = descriptor;

    /// <summary>The reason that a call failed, in a few words, for the name of an error.</summary>
    public string Failure { get; protected set; } = string.Empty;

    /// <summary>Whether one more call of <see cref="Receive"/> is likely to return bytes.</summary>
    public abstract bool HasMore { get; }

    /// <summary>Whether bytes were read from the socket and not passed on yet. Readiness does not report them.</summary>
    public abstract bool HoldsBytes { get; }

    /// <summary>Performs the negotiation with the other side that precedes the first byte. It is called again until it is done.</summary>
    public abstract Outcome Agree();

    /// <summary>Returns the result of the negotiation if the transport is TLS; otherwise, null.</summary>
    public virtual NegotiatedTls? Negotiated() => null;

    /// <summary>Receives bytes that have arrived.</summary>
    /// <param name="buffer">The buffer that the bytes are written to; not empty.</param>
    /// <param name="count">The number of bytes that were written; more than 0 if the call is done.</param>
    public abstract Outcome Receive(Span<byte> buffer, out int count);

    /// <summary>Sends bytes. Bytes that were not accepted are passed again, before any others, when the transport can continue.</summary>
    /// <param name="bytes">The bytes, at least one.</param>
    /// <param name="count">The number of bytes that were accepted; more than 0 if the call is done.</param>
    public abstract Outcome Send(ReadOnlySpan<byte> bytes, out int count);

    /// <summary>Whether <see cref="SendGathered"/> can be called.</summary>
    public virtual bool CanGather => false;

    /// <summary>Sends a message that is not behind its header in memory, by one call.</summary>
    /// <param name="header">The header, or the rest of it; not empty.</param>
    /// <param name="message">The message.</param>
    /// <param name="count">The number of bytes of both that were accepted; more than 0 if the call is done.</param>
    /// <exception cref="NotSupportedException">The transport cannot gather.</exception>
    public virtual Outcome SendGathered(ReadOnlySpan<byte> header, ReadOnlySpan<byte> message, out int count) => throw new NotSupportedException();

    /// <summary>Sends a message with its header by one call. More calls are made only if the system accepts it in parts.</summary>
    /// <param name="message">The message, which the framing can carry.</param>
    /// <param name="rest">An empty outbox, in which bytes that were not accepted wait for the next call.</param>
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

    /// <summary>Sends waiting messages, and removes what was accepted.</summary>
    /// <param name="waiting">The messages.</param>
    /// <param name="mostCalls">
    /// The most calls. If messages are left after them, the outcome is <see cref="Outcome.WantsWrite"/>: a loop calls again when other connections have had
    /// their turn.
    /// </param>
    public Outcome Send(Outbox waiting, int mostCalls = int.MaxValue)
    {
        Outcome outcome = Outcome.Done;
        for (int calls = 0; waiting.Length > 0 && outcome == Outcome.Done; calls++)
        {
            if (calls == mostCalls)
            {
                return Outcome.WantsWrite;
            }

            outcome = Send(waiting.Next.Span, out int count);
            waiting.Sent(count);
        }

        return outcome;
    }

    /// <summary>Ends the connection. A second call has no effect.</summary>
    public void Dispose()
    {
        if (Descriptor >= 0)
        {
            End();
            _ = SysEpoll.close(Descriptor);
            Descriptor = -1;
        }
    }

    /// <summary>Sends a goodbye, if the transport has one, and frees its resources. The socket is closed after that.</summary>
    protected internal abstract void End();
}
