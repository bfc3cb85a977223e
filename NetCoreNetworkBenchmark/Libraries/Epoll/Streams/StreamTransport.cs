using NetCoreNetworkBenchmark.Core.Polling;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>What carries the bytes of one connection over a non-blocking socket, which it owns. Its calls never wait.</summary>
/// <param name="descriptor">The socket.</param>
internal abstract unsafe class StreamTransport(int descriptor) : IDisposable
{
    /// <summary>The socket; -1 after the close, when the number may be another's.</summary>
    public int Descriptor { get; private set; } = descriptor;

    /// <summary>Why a call failed, in a few words for an error's name.</summary>
    public string Failure { get; protected set; } = string.Empty;

    /// <summary>Whether one more call of <see cref="Receive"/> is likely to bring something.</summary>
    public abstract bool HasMore { get; }

    /// <summary>Whether bytes were taken from the socket and not handed over yet: readiness does not report those.</summary>
    public abstract bool HoldsBytes { get; }

    /// <summary>Agrees with the other side on what is to be agreed on before the first byte; called again until it is done.</summary>
    public abstract Outcome Agree();

    /// <summary>What was agreed on, where that is TLS; null otherwise.</summary>
    public virtual NegotiatedTls? Negotiated() => null;

    /// <summary>Takes bytes that have arrived.</summary>
    /// <param name="buffer">Where to write them.</param>
    /// <param name="size">Room there.</param>
    /// <param name="count">How many were written; more than 0 where it is done.</param>
    public abstract Outcome Receive(byte* buffer, int size, out int count);

    /// <summary>Sends bytes. Those that it did not take are given again, first of all, when it can go on.</summary>
    /// <param name="bytes">The bytes, at least one.</param>
    /// <param name="size">How many.</param>
    /// <param name="count">How many it took; more than 0 where it is done.</param>
    public abstract Outcome Send(byte* bytes, int size, out int count);

    /// <summary>Ends the connection; a second time does nothing.</summary>
    public void Dispose()
    {
        if (Descriptor >= 0)
        {
            End();
            _ = SysEpoll.close(Descriptor);
            Descriptor = -1;
        }
    }

    /// <summary>Says goodbye, where the transport does, and frees what it has; the socket is closed after that.</summary>
    protected internal abstract void End();
}
