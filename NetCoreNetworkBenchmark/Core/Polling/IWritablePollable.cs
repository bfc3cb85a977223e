namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>A pollable that can be watched for room to write, such as a stream (<see cref="PollLoop.Watch"/>).</summary>
public interface IWritablePollable : IPollable
{
    /// <summary>
    /// The socket has room again, or a connect has come to its end, while it is watched for <see cref="Interest.Write"/>; or the connection is
    /// broken, whatever it is watched for, which a write then tells. Before <see cref="IPollable.OnReadable"/> where both are so.
    /// </summary>
    void OnWritable();
}
