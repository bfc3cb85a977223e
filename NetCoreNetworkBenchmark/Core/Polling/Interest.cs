namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>What a socket is watched for, and what became possible.</summary>
[Flags]
public enum Interest
{
    /// <summary>Nothing; an error or the end of the connection is reported all the same.</summary>
    None = 0,

    /// <summary>There is something to read, or the other side has ended.</summary>
    Read = 1,

    /// <summary>There is room to write again, or a connect has come to its end.</summary>
    Write = 2,
}
