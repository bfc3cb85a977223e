namespace NetCoreNetworkBenchmark.Tests.Hosts;

/// <summary>A network namespace of the system, by its name.</summary>
/// <param name="Name">Its name: nnb-, the id of the process that made it, and the rest.</param>
internal sealed record NetworkNamespace(string Name)
{
    private const string Prefix = "nnb-";
    private const string Folder = "/run/netns";
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(20);

    public static NetworkNamespace Of(string network, string host) => new($"{Prefix}{Environment.ProcessId}-{network}-{host}");

    public static NetworkNamespace[] AllOf(string network) =>
        [.. All().Where(space => space.Name.StartsWith($"{Prefix}{Environment.ProcessId}-{network}-", StringComparison.Ordinal))];

    /// <summary>Namespaces of test processes that were killed, so that they could not remove them.</summary>
    public static NetworkNamespace[] Abandoned() =>
        [.. All().Where(space => space.Name.Split('-') is [_, var process, _, ..]
            && int.TryParse(process, CultureInfo.InvariantCulture, out _)
            && !Directory.Exists($"/proc/{process}"))];

    /// <summary>Makes it, with only the loopback in it.</summary>
    public async Task AddAsync()
    {
        await SystemCommand.RequireAsync("ip", "netns", "add", Name);
        await SetAsync("link", "set", "lo", "up");
    }

    public Task<string> SetAsync(params string[] arguments) => SystemCommand.RequireAsync(["ip", "-n", Name, .. arguments]);

    public async Task<int[]> ProcessesAsync()
    {
        string output = await UnlessGoneAsync("pids");
        return [.. output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Select(process => int.Parse(process, CultureInfo.InvariantCulture))];
    }

    /// <summary>Kills every process in it. A process can start others meanwhile, so this is repeated until none is left.</summary>
    public async Task KillAllAsync()
    {
        using var deadline = new CancellationTokenSource(s_deadline);
        while (await ProcessesAsync() is { Length: > 0 } processes)
        {
            foreach (int process in processes)
            {
                // One that has ended meanwhile is none to wait for.
                await SystemCommand.RunAsync("kill", "-KILL", $"{process}");
            }

            await Task.Delay(s_pause, deadline.Token);
        }
    }

    public async Task RemoveAsync()
    {
        await KillAllAsync();
        await UnlessGoneAsync("del");
    }

    // Two tests can remove the same abandoned one.
    private async Task<string> UnlessGoneAsync(string command)
    {
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync("ip", "netns", command, Name);
        return exitCode == 0 || !File.Exists(Path.Combine(Folder, Name))
            ? output
            : throw new InvalidOperationException($"'ip netns {command} {Name}' ended with exit code {exitCode}: {errors.Trim()}");
    }

    private static NetworkNamespace[] All() =>
        Directory.Exists(Folder) ? [.. Directory.GetFiles(Folder, $"{Prefix}*").Select(file => new NetworkNamespace(Path.GetFileName(file)))] : [];
}
