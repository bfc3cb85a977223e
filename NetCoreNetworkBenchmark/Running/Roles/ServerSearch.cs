namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>Finds the address of a name at which a server is, before the clients connect.</summary>
internal static class ServerSearch
{
    // The delay between two attempts of RFC 8305, section 5.
    private static readonly TimeSpan s_delay = TimeSpan.FromMilliseconds(250);

    // ICMP reports at once that a port is closed. Without an answer, the port may be open.
    private static readonly TimeSpan s_refusal = TimeSpan.FromMilliseconds(200);

    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(3);

    /// <summary>
    /// Tries the addresses in their order: the next one when one has refused, or after a delay, as RFC 8305 does. A port for datagrams that is not refused may
    /// be one of a server. The attempt there is an empty datagram.
    /// </summary>
    public static async Task<IPEndPoint?> FindAsync(Protocol protocol, IReadOnlyList<IPEndPoint> candidates, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        over.CancelAfter(s_deadline);
        var attempts = new List<Task<bool>>();
        foreach (IPEndPoint candidate in candidates)
        {
            attempts.Add(protocol.IsOverTcp() ? ConnectsAsync(candidate, over.Token) : IsNotRefusedAsync(candidate, over.Token));
            await Task.WhenAny(attempts[^1], Task.Delay(s_delay, cancellationToken)).ConfigureAwait(false);
            if (attempts.Exists(attempt => attempt is { IsCompletedSuccessfully: true, Result: true }))
            {
                break;
            }
        }

        await WhenOneIsTrueAsync(attempts).ConfigureAwait(false);
        await over.CancelAsync().ConfigureAwait(false);
        bool[] answers = await Task.WhenAll(attempts).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        int first = Array.IndexOf(answers, true);
        return first < 0 ? null : candidates[first];
    }

    private static async Task WhenOneIsTrueAsync(List<Task<bool>> attempts)
    {
        var left = new List<Task<bool>>(attempts);
        while (left.Count > 0)
        {
            Task<bool> ended = await Task.WhenAny(left).ConfigureAwait(false);
            if (await ended.ConfigureAwait(false))
            {
                return;
            }

            left.Remove(ended);
        }
    }

    private static async Task<bool> ConnectsAsync(IPEndPoint candidate, CancellationToken cancellationToken)
    {
        try
        {
            using var socket = new Socket(candidate.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(candidate, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception exception) when (exception is SocketException or OperationCanceledException)
        {
            return false;
        }
    }

    private static async Task<bool> IsNotRefusedAsync(IPEndPoint candidate, CancellationToken cancellationToken)
    {
        try
        {
            using var socket = new Socket(candidate.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            limit.CancelAfter(s_refusal);
            await socket.ConnectAsync(candidate, cancellationToken).ConfigureAwait(false);
            await socket.SendAsync(ReadOnlyMemory<byte>.Empty, cancellationToken).ConfigureAwait(false);
            await socket.ReceiveAsync(new byte[1], limit.Token).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException)
        {
            return !cancellationToken.IsCancellationRequested;
        }
        catch (SocketException exception)
        {
            // Windows reports an answer that is longer than the buffer.
            return exception.SocketErrorCode == SocketError.MessageSize;
        }
    }
}
