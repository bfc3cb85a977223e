using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Machine;
using Spectre.Console;

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
        CheckedHost[] answers = await Task.WhenAll(hosts.All.Select(host => check.LogOnAsync(host, cancellationToken))).ConfigureAwait(false);
        Show(answers, context);
        string[] faults = [.. answers.Where(host => host.Fault is not null).Select(host => $"{host.Host}: {host.Fault}")];
        if (faults.Length == 0 && hosts.ServerHost is not null)
        {
            var pinged = new List<PingedHost>();
            foreach (ClientHost host in hosts.ClientHosts)
            {
                // One after the other: the path of each alone.
                pinged.Add(await check.PingAsync(host.Name, cancellationToken).ConfigureAwait(false));
            }

            ShowPaths(hosts.ServerHost, pinged, context);
            faults = [.. pinged.Where(host => host.Fault is not null).Select(host => $"{host.Host}: {host.Fault}")];
        }

        await context.NotifyAsync("Note", Differences(answers)).ConfigureAwait(false);
        await context.NotifyAsync("Error", faults).ConfigureAwait(false);
        return faults.Length == 0 ? ExitCode.Success : ExitCode.Failed;
    }

    private static void Show(CheckedHost[] answers, CommandContext context)
    {
        var table = new Table().Border(context.Border);
        table.AddColumns("Host", "Name", "Log on", "Clock ahead by", "Cores", "CPU", "Governor", "Turbo", "MTU", ".NET", "System");
        foreach (CheckedHost host in answers)
        {
            table.AddRow([.. (host.Clock is { } clock ? CellsOf(host, clock) : [host.Host, "cannot be used"]).Select(Markup.Escape)]);
        }

        context.OutputConsole.Write(table);
    }

    private static string[] CellsOf(CheckedHost host, ClockReading clock)
    {
        HostFacts facts = clock.Facts;
        return
        [
            host.Host,
            facts.MachineName,
            string.Create(CultureInfo.InvariantCulture, $"{host.LogOn.TotalSeconds:0.00} s"),
            string.Create(CultureInfo.InvariantCulture, $"{clock.Offset.TotalMilliseconds:0.0} ms ± {clock.AnswerTime.TotalMilliseconds / 2:0.0}"),
            facts.Environment.Cores.ToString(CultureInfo.InvariantCulture),
            facts.Environment.Cpu,
            facts.Fitness.CpuGovernor ?? Unknown,
            facts.Turbo is { } turbo ? (turbo ? "on" : "off") : Unknown,
            facts.Mtu?.ToString(CultureInfo.InvariantCulture) ?? Unknown,
            facts.Environment.Framework,
            $"{facts.Environment.Os}, {facts.Environment.Kernel}",
        ];
    }

    private static void ShowPaths(string server, IEnumerable<PingedHost> pinged, CommandContext context)
    {
        var table = new Table().Border(context.Border);
        table.AddColumns("Path", "Round trips per second", "Least", "p50", "p99", "Largest", "Lost");
        foreach (PingedHost host in pinged)
        {
            table.AddRow([.. ((string[])[$"{host.Host} to {server}", .. CellsOf(host.Result)]).Select(Markup.Escape)]);
        }

        context.OutputConsole.Write(table);
    }

    private static string[] CellsOf(RunResult? result) => result?.LatencyMicroseconds is { } latency
        ?
        [
            string.Create(CultureInfo.InvariantCulture, $"{result.MessagesPerSecond:N0}"),
            Time(latency.Min),
            Time(latency.P50),
            Time(latency.P99),
            Time(latency.Max),
            string.Create(CultureInfo.InvariantCulture, $"{result.Lost:N0}"),
        ]
        : ["failed"];

    private static string Time(double? microseconds) => string.Create(CultureInfo.InvariantCulture, $"{microseconds:N0} µs");

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
