namespace NetCoreNetworkBenchmark.Options;

/// <summary>The topics of options, in the order of the help text.</summary>
public enum OptionGroup
{
    /// <summary>The test, its transport, messages and times.</summary>
    Load,

    /// <summary>The library and its settings.</summary>
    Library,

    /// <summary>Streams, and TLS on them.</summary>
    Streams,

    /// <summary>The impairments of the traffic.</summary>
    Impairment,

    /// <summary>The processes of a run, their threads and cores.</summary>
    Processes,

    /// <summary>The hosts of a run's processes.</summary>
    Hosts,

    /// <summary>The results, and other output.</summary>
    Output,
}

/// <summary>The number of values that follow an option.</summary>
public enum OptionKind
{
    /// <summary>One value.</summary>
    Value,

    /// <summary>One value or none.</summary>
    OptionalValue,

    /// <summary>One value for each time that the option is given.</summary>
    Values,

    /// <summary>No value.</summary>
    Flag,
}

/// <summary>The capability of a library without which an option is not printed.</summary>
public enum LibraryCapability
{
    /// <summary>None: the option is for every library.</summary>
    None,

    /// <summary>A tuned profile that differs from the default.</summary>
    TunedProfile,

    /// <summary>A server with a number of threads that the plan determines.</summary>
    ServerThreads,

    /// <summary>Clients with a number of threads that the plan determines.</summary>
    ClientThreads,
}
