namespace NetCoreNetworkBenchmark.Core;

/// <summary>Something that a library can do in several ways, for the user to choose by <c>--set LIBRARY.NAME=VALUE</c>.</summary>
/// <param name="Name">Its name, compared without regard to case; unique in the library, without a dot or an equals sign.</param>
/// <param name="Values">The values that it takes, compared without regard to case.</param>
/// <param name="Default">The one of them that holds where the user chooses none.</param>
/// <param name="Summary">A few words on what it is, for <c>--list</c>.</param>
public sealed record LibrarySetting(string Name, IReadOnlyList<string> Values, string Default, string Summary)
{
    /// <summary>The value of the profile <see cref="Profile.Tuned"/>; the default where there is nothing to gain.</summary>
    public string Tuned { get; init; } = Default;

    /// <summary>The transports over which it has an effect.</summary>
    public IReadOnlyList<Protocol> Protocols { get; init; } = Enum.GetValues<Protocol>();

    /// <summary>The value of a profile.</summary>
    /// <param name="profile">The profile.</param>
    /// <returns>One of <see cref="Values"/>.</returns>
    public string ValueIn(Profile profile) => profile == Profile.Tuned ? Tuned : Default;
}
