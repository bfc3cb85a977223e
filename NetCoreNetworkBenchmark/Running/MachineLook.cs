namespace NetCoreNetworkBenchmark.Running;

/// <summary>
/// A short look at what other programs do on the machine now (Linux: /proc). A load average would still hold what ran minutes before, the kernel's
/// own average of the pressure what ran ten seconds before.
/// </summary>
internal static class MachineLook
{
    /// <summary>How long the look takes: 25 of the ticks in which Linux counts the time of a core.</summary>
    public static readonly TimeSpan Length = TimeSpan.FromMilliseconds(250);

    /// <summary>Looks for <see cref="Length"/>.</summary>
    /// <returns>What was seen; null where the system does not report it.</returns>
    public static async Task<OtherWork?> LookAsync(CancellationToken cancellationToken)
    {
        if (MachineReading.Read() is not { } before)
        {
            return null;
        }

        await Task.Delay(Length, cancellationToken).ConfigureAwait(false);
        return MachineReading.Read() is { } after ? OtherWork.Between(before, after, Environment.ProcessId) : null;
    }
}
