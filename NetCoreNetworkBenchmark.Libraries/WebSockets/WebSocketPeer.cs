using System.Net.WebSockets;

namespace NetCoreNetworkBenchmark.Libraries.WebSockets;

// A connection whose WebSocket is open. A client opens it first.
internal class WebSocketPeer(StreamSide side, WebSocket socket, IConnectObserver? observer = null) : ReadingPeer(side, observer)
{
    // The other side answers a close as soon as it has received it, unless it is frozen or gone.
    private static readonly TimeSpan s_longestClose = TimeSpan.FromSeconds(1);

    private Task _closing = Task.CompletedTask;

    protected override Task<Stream?> EstablishAsync() => Task.FromResult<Stream?>(new MessageStream(socket));

    protected override void CloseTransport(bool canSend)
    {
        if (canSend && socket.State is WebSocketState.Open or WebSocketState.CloseReceived)
        {
            _closing = CloseAsync(socket.CloseOutputAsync);
            _ = AbortUnlessReleasedAsync(s_longestClose, socket.Abort);
        }
        else
        {
            socket.Abort();
        }
    }

    // A close that reaches a socket with unread data is lost with the connection, so this side reads until the other one has closed too.
    protected override async ValueTask ReleaseAsync()
    {
        await Closing().ConfigureAwait(false);
        if (socket.State == WebSocketState.CloseSent)
        {
            await CloseAsync(socket.CloseAsync).ConfigureAwait(false);
        }

        socket.Dispose();
    }

    // Another thread may be closing the connection.
    private Task Closing()
    {
        lock (Calls)
        {
            return _closing;
        }
    }

    private static async Task CloseAsync(Func<WebSocketCloseStatus, string?, CancellationToken, Task> close)
    {
        try
        {
            await close(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            // The connection broke in the meantime, so there is no other side to notify.
            return;
        }
    }
}
