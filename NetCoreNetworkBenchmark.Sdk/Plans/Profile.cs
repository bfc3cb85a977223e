namespace NetCoreNetworkBenchmark.Plans;

/// <summary>The values of those settings of a library that the user does not choose individually.</summary>
public enum Profile
{
    /// <summary>The values that apply out of the box.</summary>
    Default,

    /// <summary>The values that are known to be faster, from the library's author or from measurements.</summary>
    Tuned,
}
