using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Machine.Facts;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal static class HostsCheckCommand
{
    private const string Unknown = "-";

    /// <summary>Logs on to every host, and sends messages from every host of clients to the server's.</summary>
    public static async Task<int> RunAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        HostsPlan hosts = request.Plan.Hosts;
        PlanCheck.RequireHosts(hosts, RunOptions.HostsCheck.Name);
        var check = new HostsCheck(request.Plan, context.Catalog);
        CheckedHost[] answers = await Task.WhenAll(hosts.All.Select(host => check.LogOnAsync(host, cancellationToken)));
        context.Show(
            ["Host", "Name", "Log on", "Clock ahead by", "Cores", "CPU", "Governor", "Turbo", "MTU", ".NET", "System"],
            answers.Select(host => host.Clock is { } clock ? CellsOf(host, clock) : [host.Host, "cannot be used"]));
        string[] faults = [.. answers.Where(host => host.Fault is not null).Select(host => $"{host.Host}: {host.Fault}")];
        if (faults.Length == 0 && hosts.ServerHost is not null)
        {
            var pinged = new List<PingedHost>();
            foreach (ClientHost host in hosts.ClientHosts)
            {
                // One after the other: the path of each alone.
                pinged.Add(await check.PingAsync(host.Name, cancellationToken));
            }

            context.Show(
                ["Path", "Round trips per second", "Least", "p50", "p99", "Largest", "Lost"],
                pinged.Select(host => (string[])[$"{host.Host} to {hosts.ServerHost}", .. CellsOf(host.Result)]));
            faults = [.. pinged.Where(host => host.Fault is not null).Select(host => $"{host.Host}: {host.Fault}")];
        }

        context.Notify("Note", Differences(answers));
        context.Notify("Error", faults);
        return faults.Length == 0 ? ExitCode.Success : ExitCode.Failed;
    }

    private static string[] CellsOf(CheckedHost host, ClockReading clock)
    {
        HostFacts facts = clock.Facts;
        return
        [
            host.Host,
            facts.MachineName,
            Invariant($"{host.LogOn.TotalSeconds:0.00} s"),
            Invariant($"{clock.Offset.TotalMilliseconds:0.0} ms ± {clock.AnswerTime.TotalMilliseconds / 2:0.0}"),
            Invariant($"{facts.Environment.Cores}"),
            facts.Environment.Cpu,
            facts.Fitness.CpuGovernor ?? Unknown,
            facts.Turbo is { } turbo ? (turbo ? "on" : "off") : Unknown,
            facts.Mtu?.ToString(CultureInfo.InvariantCulture) ?? Unknown,
            facts.Environment.Framework,
            $"{facts.Environment.Os}, {facts.Environment.Kernel}",
        ];
    }

    private static string[] CellsOf(RunResult? result) => result?.LatencyMicroseconds is { } latency
        ?
        [
            Invariant($"{result.MessagesPerSecond:N0}"),
            Time(latency.Min),
            Time(latency.P50),
            Time(latency.P99),
            Time(latency.Max),
            Invariant($"{result.Lost:N0}"),
        ]
        : ["failed"];

    private static string Time(double? microseconds) => Invariant($"{microseconds:N0} µs");

    private static IEnumerable<string> Differences(CheckedHost[] answers)
    {
        (string Property, Func<HostFacts, object?> Of)[] properties =
        [
            ("processors", facts => facts.Environment.Cpu),
            ("numbers of cores", facts => facts.Environment.Cores),
            ("governors", facts => facts.Fitness.CpuGovernor),
            ("MTUs", facts => facts.Mtu),
            ("versions of .NET", facts => facts.Environment.Framework),
            ("kernels", facts => facts.Environment.Kernel),
        ];
        HostFacts[] all = [.. answers.Select(host => host.Clock?.Facts).OfType<HostFacts>()];
        return properties.Where(property => all.Select(property.Of).Distinct().Count() > 1)
            .Select(property => $"The hosts have different {property.Property}.");
    }
}

internal static class DeployCommand
{
    /// <summary>Ensures that the hosts have the program and the assemblies. The check of the hosts reports each host itself.</summary>
    public static async Task<HostsPlan> PrepareAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        HostsPlan hosts = request.Plan.Hosts;
        IReadOnlyList<AdapterAssembly> assemblies = request.Plan.Assemblies ?? [];
        if (request.Action == CliAction.Undeploy)
        {
            return hosts;
        }

        if (hosts.Deploy)
        {
            return await DeployAsync(hosts, assemblies, context, cancellationToken);
        }

        if (request.Action != CliAction.HostsCheck)
        {
            string[] files = [.. HostLauncher.OwnProgram(), .. assemblies.Select(assembly => assembly.Path)];
            await RequireAsync(hosts, files, cancellationToken);
        }

        return hosts;
    }

    private static async Task<HostsPlan> DeployAsync(
        HostsPlan hosts, IReadOnlyList<AdapterAssembly> assemblies, CommandContext context, CancellationToken cancellationToken)
    {
        PlanCheck.RequireHosts(hosts, "--deploy");
        AdapterPackage[] packages = [.. assemblies.Select(AdapterPackage.From)];
        context.Notify($"Copying the program to {string.Join(", ", hosts.All)}, unless it is there.");
        var deployment = new Deployment(HostLauncher.For(hosts).Shell);
        KeyValuePair<string, string>[] programs = await Task.WhenAll(hosts.All.Select(CopyAsync));
        return hosts with { Programs = programs.ToDictionary() };

        async Task<KeyValuePair<string, string>> CopyAsync(string host)
        {
            string program = await deployment.DeployAsync(host, cancellationToken);
            foreach (AdapterPackage package in packages)
            {
                await deployment.AddAsync(host, package, cancellationToken);
            }

            return KeyValuePair.Create(host, program);
        }
    }

    private static async Task RequireAsync(HostsPlan hosts, IEnumerable<string> files, CancellationToken cancellationToken)
    {
        var deployment = new Deployment(HostLauncher.For(hosts).Shell);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task[] requests = [.. hosts.All.Select(host => deployment.RequireAsync(host, files, over.Token))];
        try
        {
            await foreach (Task answer in Task.WhenEach(requests))
            {
                await answer;
            }
        }
        finally
        {
            await over.CancelAsync();
            await Task.WhenAll(requests).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    public static async Task<int> UndeployAsync(HostsPlan hosts, CommandContext context, CancellationToken cancellationToken)
    {
        PlanCheck.RequireHosts(hosts, RunOptions.Undeploy.Name);
        var deployment = new Deployment(HostLauncher.For(hosts).Shell);
        context.Notify($"Removing the program from {string.Join(", ", hosts.All)}.");
        await Task.WhenAll(hosts.All.Select(host => deployment.UndeployAsync(host, cancellationToken)));
        return ExitCode.Success;
    }
}
