namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>Wakes a thread that waits for readiness: a descriptor that can be read from a signal on until the signals are taken.</summary>
internal interface IWakeUp : IDisposable
{
    /// <summary>The descriptor (Unix) or handle (Windows) to watch.</summary>
    nint Handle { get; }

    /// <summary>Makes the descriptor readable. From any thread.</summary>
    /// <exception cref="ObjectDisposedException">The thread has ended.</exception>
    void Signal();

    /// <summary>Takes all signals at once. On the thread that is woken.</summary>
    void TakeSignals();
}
