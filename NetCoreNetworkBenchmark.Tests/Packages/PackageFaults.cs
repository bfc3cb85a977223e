namespace NetCoreNetworkBenchmark.Tests.Packages;

/// <summary>The errors of a package of <c>--framing Checked</c>. One package can have several.</summary>
[Flags]
public enum PackageFaults
{
    None = 0,

    /// <summary>The length of a message or of a package of an unknown type is not possible.</summary>
    Length = 1,

    Type = 2,

    HeartbeatContent = 4,

    /// <summary>The XOR of all bytes is not 0.</summary>
    CheckCode = 8,
}
