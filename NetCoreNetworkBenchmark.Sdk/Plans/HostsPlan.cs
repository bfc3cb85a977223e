using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>
/// The hosts of a run's processes. Immutable and plain enough to serialize. The default has every process on this machine.
/// </summary>
public sealed record HostsPlan
{
    /// <summary>The name that stands for all other hosts of a Slurm allocation.</summary>
    public const string AllHosts = "all";

    /// <summary>The host of the server, as the launcher takes it; null for this machine.</summary>
    public string? ServerHost { get; init; }

    /// <summary>The hosts of the clients, each with its part of them; empty if they are on this machine.</summary>
    public IReadOnlyList<ClientHost> ClientHosts { get; init => field = new EquatableList<ClientHost>(value); } = new EquatableList<ClientHost>([]);

    /// <summary>The program that starts processes on the hosts.</summary>
    public Launcher Launcher { get; init; } = Launcher.Ssh;

    /// <summary>Whether the program is copied to the hosts before the run.</summary>
    public bool Deploy { get; init; }

    /// <summary>The path of the program on each host; a host that is not named has it where this machine has it.</summary>
    public IReadOnlyDictionary<string, string> Programs { get; init => field = new EquatableDictionary(value); } = EquatableDictionary.Empty;

    /// <summary>Whether all processes are on this machine.</summary>
    [JsonIgnore]
    public bool IsNone => ServerHost is null && ClientHosts.Count == 0;

    /// <summary>Whether all hosts are this machine, so that a result has no part for each host.</summary>
    [JsonIgnore]
    public bool AreThisMachine => IsNone || Launcher == Launcher.Namespaces;

    /// <summary>The name of the server's host without that of its user; null for this machine.</summary>
    [JsonIgnore]
    public string? ServerName => ServerHost?[(ServerHost.IndexOf('@', StringComparison.Ordinal) + 1)..];

    /// <summary>All hosts of the run, each once: the server's first.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> All => [.. ((string?[])[ServerHost, .. ClientHosts.Select(host => host.Name)]).OfType<string>().Distinct()];

    internal IEnumerable<(string Host, int Clients)> PartsOf(int clients) =>
        ClientHosts.Zip(Divide(clients), (host, part) => (host.Name, part)).Where(part => part.part > 0);

    /// <summary>Uses the method of the largest remainder. A host has 0 clients if there are fewer clients than hosts.</summary>
    internal int[] Divide(int clients)
    {
        long shares = ClientHosts.Sum(host => (long)host.Share);
        int[] parts = [.. ClientHosts.Select(host => (int)(clients * (long)host.Share / shares))];
        IEnumerable<int> byRemainder = Enumerable.Range(0, parts.Length).OrderByDescending(index => clients * (long)ClientHosts[index].Share % shares);
        foreach (int index in byRemainder.Take(clients - parts.Sum()))
        {
            parts[index]++;
        }

        return parts;
    }
}

/// <summary>A host with some of the clients.</summary>
/// <param name="Name">The name, as the launcher takes it.</param>
/// <param name="Share">Its share of the clients, in the ratio to those of the other hosts; 1 or more.</param>
public sealed record ClientHost(string Name, int Share = 1);

/// <summary>The program that starts processes on other hosts.</summary>
public enum Launcher
{
    /// <summary>OpenSSH.</summary>
    Ssh,

    /// <summary>Slurm's srun, inside an allocation.</summary>
    Slurm,

    /// <summary>Network namespaces of this machine that this process has created.</summary>
    Namespaces,
}
