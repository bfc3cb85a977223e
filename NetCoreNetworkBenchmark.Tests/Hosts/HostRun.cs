namespace NetCoreNetworkBenchmark.Tests.Hosts;

/// <summary>A run of the real program over several hosts, and what its result must satisfy.</summary>
internal static class HostRun
{
    /// <summary>The hosts of most tests: the server on the first, the clients on the others.</summary>
    public const string ThreeHosts = "--server-host host-a --client-hosts host-b,host-c";

    private static readonly Lazy<Task<PublishedProgram>> s_published = new(() => new Publication(CheckoutBuilds.OfThisProgram()).PackAsync(
        $"linux-{RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant()}", CancellationToken.None));

    /// <summary>This program as <c>--deploy</c> copies it. The test that needs it first publishes it, and all others find it in the user's cache.</summary>
    public static Task<PublishedProgram> PublishedAsync() => s_published.Value;

    /// <summary>Splits a command line without quotation marks.</summary>
    public static string[] Words(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    public static RunResult ValidResultOf((int ExitCode, string Output, string Errors) run)
    {
        Assert.True(run.ExitCode == 0, run.Errors);
        RunResult result = ResultOf(run.Output);
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        return result;
    }

    public static RunResult ResultOf(string output) => JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;

    public static void AssertAddsUp(RunResult result)
    {
        HostsResult hosts = result.Hosts!;
        Assert.NotNull(hosts.Server);
        Assert.Equal(result.Plan.Clients, hosts.Clients.Sum(host => host.Clients));
        Assert.Equal(result.Messages.ClientReceived, hosts.Clients.Sum(host => host.Messages));
        Assert.Equal(1, hosts.Clients.Sum(host => host.Share)!.Value, tolerance: 1e-9);
        Assert.Equal(result.Totals.Sent, result.Totals.Received + result.Totals.Lost + result.Totals.Unanswered);
        Assert.All(hosts.Clients, host => Assert.Equal(host.Messages, HistogramCodec.Decode(host.Histogram!).Count));
        var sum = new LatencyHistogram();
        foreach (HostResult host in hosts.Clients)
        {
            sum.Add(HistogramCodec.Decode(host.Histogram!));
        }

        Assert.Equal(sum.RecordedBuckets(), HistogramCodec.Decode(result.Clients.Latency.Histogram!).RecordedBuckets());
    }

    public static void AssertKeepsLittlesLaw(RunResult result, int inFlight)
    {
        double off = LittlesLaw.MaxDeviation(result);
        Assert.InRange(LittlesLaw.InFlight(result) / inFlight, 0.9 - off, 1.05 + off);
    }
}

/// <summary>A process of a host. Its id is the one that the tests see, since the hosts share the processes of this machine.</summary>
internal sealed record HostProcess(int Id, string[] Arguments);

internal static class SystemCommand
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(1);

    /// <summary>Runs a command without input to its end. It is killed at the deadline.</summary>
    public static Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] command) =>
        RunAsync(new ProcessStartInfo(command[0], command[1..]), s_deadline);

    /// <summary>The same with a folder, an environment and a deadline.</summary>
    public static async Task<(int ExitCode, string Output, string Errors)> RunAsync(ProcessStartInfo start, TimeSpan deadline)
    {
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        using Process process = Process.Start(start)!;
        process.StandardInput.Close();
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        try
        {
            // Not the token of the test: a test that is cancelled still removes its network with these commands.
            await process.WaitForExitAsync(CancellationToken.None).WaitAsync(deadline, CancellationToken.None);

            // A background process that inherited the pipes could keep them open.
            string[] said = await Task.WhenAll(output, errors).WaitAsync(deadline, CancellationToken.None);
            return (process.ExitCode, said[0], said[1]);
        }
        catch (TimeoutException)
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"'{string.Join(' ', start.ArgumentList.Prepend(start.FileName))}' has not ended after {deadline.TotalSeconds} s.");
        }
    }

    public static async Task<string> RequireAsync(params string[] command)
    {
        (int exitCode, string output, string errors) = await RunAsync(command);
        return exitCode == 0
            ? output
            : throw new InvalidOperationException($"'{string.Join(' ', command)}' ended with exit code {exitCode}: {errors.Trim()}");
    }
}

/// <summary>A network namespace of the system, by its name.</summary>
/// <param name="Name">Its name: nnb-, the id of the process that made it, and the rest.</param>
internal sealed record NetworkNamespace(string Name)
{
    private const string Prefix = "nnb-";
    private const string Folder = "/run/netns";
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(20);

    public static NetworkNamespace For(string network, string host) => new($"{Prefix}{Environment.ProcessId}-{network}-{host}");

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
