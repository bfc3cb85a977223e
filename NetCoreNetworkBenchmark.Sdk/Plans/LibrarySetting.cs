namespace NetCoreNetworkBenchmark.Plans;

/// <summary>A setting of a library that the user can choose by <c>--set LIBRARY.NAME=VALUE</c>.</summary>
/// <param name="Name">The name, compared without regard to case; unique in the library, without a dot or an equals sign.</param>
/// <param name="Values">The valid values, compared without regard to case.</param>
/// <param name="Default">The value that applies if the user chooses none.</param>
/// <param name="Summary">A short description, for <c>--list</c>.</param>
public sealed record LibrarySetting(string Name, IReadOnlyList<string> Values, string Default, string Summary)
{
    /// <summary>The value of the profile <see cref="Profile.Tuned"/>; the default if no other value is faster.</summary>
    public string Tuned { get; init; } = Default;

    /// <summary>The transports over which the setting has an effect.</summary>
    public IReadOnlyList<Protocol> Protocols { get; init; } = Enum.GetValues<Protocol>();

    /// <summary>
    /// Whether each value is a case of its own in a benchmark of connections, such as the architectures of a server. If a library has two such
    /// settings, the default of the second adds no case.
    /// </summary>
    public bool HasVariants { get; init; }

    /// <summary>Gets the value for a profile.</summary>
    public string ValueIn(Profile profile) => profile == Profile.Tuned ? Tuned : Default;
}

/// <summary>The values of those settings of a library that the user does not choose individually.</summary>
public enum Profile
{
    /// <summary>The values that apply out of the box.</summary>
    Default,

    /// <summary>The values that are known to be faster, from the library's author or from measurements.</summary>
    Tuned,
}
