namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>The operations that a socket is watched for, or that became possible.</summary>
[Flags]
public enum Interest
{
    /// <summary>Nothing; an error or the end of the connection is reported all the same.</summary>
    None = 0,

    /// <summary>There is data to read, or the other side has ended the connection.</summary>
    Read = 1,

    /// <summary>The socket can be written again, or a connect has completed.</summary>
    Write = 2,
}
