namespace NetCoreNetworkBenchmark.Impairment;

// The bytes of streams that the relay keeps before it stops reading: those of one connection and direction until the system accepts them, and those of all
// connections in one direction in flight. It reads again when half of them have gone.
internal sealed record StreamBounds(long Flow, long Direction)
{
    // Linux lets the window of a connection grow to 6 MiB (the default of net.ipv4.tcp_rmem). The sockets' own buffers are added to this bound.
    private const long LargestWindow = 4 * 1024 * 1024;
    private const long Smallest = 64 * 1024;
    private const long Largest = 256 * 1024 * 1024;

    public static StreamBounds Of(ImpairmentPlan plan, int clients)
    {
        long window = Math.Clamp(Largest / Math.Max(clients, 1), Smallest, LargestWindow);
        if (plan.BandwidthBitsPerSecond is not { } rate)
        {
            return new StreamBounds(window, Largest);
        }

        // Twice the bytes in flight on a full line, so that half of them still fill the line.
        double bytesPerSecond = rate / 8.0;
        double filling = 2 * bytesPerSecond * (plan.Delay + plan.Jitter).TotalSeconds;
        return new StreamBounds(
            (long)Math.Clamp(filling, window, Largest),
            (long)Math.Clamp(filling + (bytesPerSecond * PathDelay.SecondsOfQueue), Smallest, Largest));
    }
}
