namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>Wakes a thread that waits for readiness. The descriptor is readable from the first signal until the signals are taken.</summary>
public interface IWakeUp : IDisposable
{
    /// <summary>The descriptor (Unix) or handle (Windows) to watch.</summary>
    nint Handle { get; }

    /// <summary>Makes the descriptor readable, from any thread; an <see cref="ObjectDisposedException"/> if the thread has ended.</summary>
    void Signal();

    /// <summary>Takes all signals at once. Called on the thread that is woken.</summary>
    void TakeSignals();
}
