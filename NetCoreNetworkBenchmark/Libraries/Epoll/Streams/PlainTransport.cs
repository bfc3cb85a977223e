using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

internal sealed unsafe class PlainTransport(int descriptor) : StreamTransport(descriptor)
{
    private bool _wasFilled;

    // A call that did not fill the buffer has left nothing.
    public override bool HasMore => _wasFilled;

    public override bool HoldsBytes => false;

    public override bool CanGather => true;

    public override Outcome Agree() => Outcome.Done;

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

    protected internal override void End()
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
