using System.Buffers;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;
using NetCoreNetworkBenchmark.Libraries.AspNetCore;

namespace NetCoreNetworkBenchmark.Libraries.Kestrel;

// The smallest application on Kestrel's HTTP/1.1, which parses the request, writes the head and closes. The content is the workload's.
internal sealed class HttpAnswers(StreamSide side) : IHttpApplication<IFeatureCollection>
{
    private static ReadOnlySpan<byte> EmptyLine => "\r\n\r\n"u8;

    public ConnectionDelegate Watch(ConnectionDelegate next) => async context =>
    {
        try
        {
            await ServeAsync(next, context).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            // Kestrel only logs it.
            side.Recorder.ReportFault(exception);
        }
    };

    public IFeatureCollection CreateContext(IFeatureCollection contextFeatures) => contextFeatures;

    public Task ProcessRequestAsync(IFeatureCollection context)
    {
        HttpPeer peer = context.GetRequiredFeature<HttpPeer>();
        side.Handler.OnMessage(peer, default, side.CurrentWorker());
        IHttpResponseFeature response = context.GetRequiredFeature<IHttpResponseFeature>();
        response.Headers.ContentType = "text/plain";
        response.Headers.ContentLength = peer.Content.Length;
        response.Headers.Connection = "close";
        IHttpResponseBodyFeature body = context.GetRequiredFeature<IHttpResponseBodyFeature>();
        body.Writer.Write(peer.Content.Span);
        return body.CompleteAsync();
    }

    public void DisposeContext(IFeatureCollection context, Exception? exception)
    {
        if (exception is not null)
        {
            side.Recorder.ReportFault(exception);
        }
    }

    private async Task ServeAsync(ConnectionDelegate next, ConnectionContext context)
    {
        var peer = new HttpPeer();
        context.Features.Set(peer);
        side.Handler.OnConnected(peer, side.CurrentWorker());
        try
        {
            await next(context).ConfigureAwait(false);
            await Handshakes.EndAsync(context).ConfigureAwait(false);
        }
        finally
        {
            side.Handler.OnClosed(peer, side.CurrentWorker());
        }
    }

    private sealed class HttpPeer : IPeer
    {
        public object? State { get; set; }

        public ReadOnlyMemory<byte> Content { get; private set; }

        public bool Send(ReadOnlySpan<byte> message)
        {
            Content = message[(message.IndexOf(EmptyLine) + EmptyLine.Length)..].ToArray();
            return true;
        }

        public void Close()
        {
            // Kestrel closes the connection after the answer, because the head of the answer says so.
        }
    }
}
