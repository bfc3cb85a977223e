namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>
/// A short sample of the current load of other programs on the machine (Linux: /proc). A load average would still include programs that ran
/// minutes before, and the kernel's own average of the pressure would include programs that ran ten seconds before.
/// </summary>
internal static class BackgroundLoadSample
{
    /// <summary>The length of the sample: 25 of the ticks in which Linux counts the time of a core.</summary>
    public static readonly TimeSpan Length = TimeSpan.FromMilliseconds(250);

    public static async Task<BackgroundLoad?> LookAsync(CancellationToken cancellationToken)
    {
        if (MachineSnapshot.Read() is not { } before)
        {
            return null;
        }

        await Task.Delay(Length, cancellationToken).ConfigureAwait(false);
        return MachineSnapshot.Read() is { } after ? BackgroundLoad.Between(before, after, Environment.ProcessId) : null;
    }
}
