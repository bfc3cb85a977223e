namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>A pollable that can be watched for writability, such as a stream (<see cref="PollLoop.Watch"/>).</summary>
internal interface IWritablePollable : IPollable
{
    /// <summary>
    /// Called when the socket is writable again or a connect has completed, while the socket is watched for <see cref="Interest.Write"/>. Also called
    /// when the connection is broken, whatever the socket is watched for; a write then returns the error. If both apply, it is called before
    /// <see cref="IPollable.OnReadable"/>.
    /// </summary>
    void OnWritable();
}
