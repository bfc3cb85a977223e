namespace NetCoreNetworkBenchmark.Core;

/// <summary>Which values the settings of a library have that the user does not choose one by one.</summary>
public enum Profile
{
    /// <summary>What one gets out of the box.</summary>
    Default,

    /// <summary>What is known to be faster, by the library's author or by measuring.</summary>
    Tuned,
}
