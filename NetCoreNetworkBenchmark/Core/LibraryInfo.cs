namespace NetCoreNetworkBenchmark.Core;

/// <summary>What a library is and can do: the row of <c>--list</c>, and the limits that a plan is checked against.</summary>
public sealed record LibraryInfo
{
    /// <summary>The name by which the user asks for it (<c>-l</c>), compared without regard to case.</summary>
    public required string Name { get; init; }

    /// <summary>The version of the code that was really loaded, read from that code.</summary>
    public required string Version { get; init; }

    /// <summary>The transports that the adapter offers.</summary>
    public required IReadOnlyList<Protocol> Protocols { get; init; }

    /// <summary>The kinds of delivery that the adapter offers, with their cost and limit.</summary>
    public required IReadOnlyList<TransmissionInfo> Transmissions { get; init; }

    /// <summary>The most clients that one server can hold by the library's protocol; null where only the machine limits it.</summary>
    public int? MostClients { get; init; }

    /// <summary>File descriptors that one client takes, so that a limit is found before the run and not in it.</summary>
    public int DescriptorsPerClient { get; init; } = 1;

    /// <summary>Why the library cannot run here although it is in this build, with the remedy; null where it can.</summary>
    public string? Unavailable { get; init; }

    /// <summary>Whether server and clients must be in one process, because nothing but its memory joins them.</summary>
    public bool OneProcessOnly { get; init; }

    /// <summary>Whether the predefined benchmark leaves the library out, so that it runs only by its name.</summary>
    public bool OnlyWhenAsked { get; init; }

    /// <summary>What the user can choose of how the library works.</summary>
    public IReadOnlyList<LibrarySetting> Settings { get; init; } = [];

    /// <summary>Whether <see cref="Profile.Tuned"/> differs from the default.</summary>
    public bool HasTunedProfile => Settings.Any(setting => setting.Tuned != setting.Default);

    /// <summary>
    /// The most threads that a plan can ask for at the server; null where any number can be had. 1 where the library's server is one object
    /// on one thread, or where its threads are its own.
    /// </summary>
    public int? MostServerThreads { get; init; } = 1;

    /// <summary>
    /// Whether the clients have as many threads as the plan asks for, as a <see cref="Polling.PolledClientGroup"/> has; otherwise the
    /// library decides.
    /// </summary>
    public bool ClientThreadsByPlan { get; init; }

    /// <summary>Finds what the adapter says of one kind of delivery.</summary>
    /// <param name="transmission">The kind of delivery.</param>
    /// <returns>Its cost and limit, or null where the library does not offer it.</returns>
    public TransmissionInfo? Find(Transmission transmission) =>
        Transmissions.FirstOrDefault(candidate => candidate.Transmission == transmission);
}

/// <summary>One kind of delivery that a library offers.</summary>
/// <param name="Transmission">The kind of delivery.</param>
/// <param name="OverheadBytes">Bytes that the library adds to a message that travels alone in a packet, above UDP's own header.</param>
/// <param name="LargestMessage">The largest message in bytes.</param>
public sealed record TransmissionInfo(Transmission Transmission, int OverheadBytes, int LargestMessage);
