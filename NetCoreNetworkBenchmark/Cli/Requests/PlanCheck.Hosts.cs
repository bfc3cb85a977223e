using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.Running.Suites;
using static NetCoreNetworkBenchmark.Options.OptionValues;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>Loads that cannot be divided over hosts.</summary>
internal static partial class PlanCheck
{
    /// <summary>Rejects other hosts for a request that needs one machine.</summary>
    public static void CheckHosts(CliRequest request)
    {
        RunPlan plan = request.Plan;
        if (plan.Hosts.IsNone)
        {
            return;
        }

        string option = plan.Hosts.ServerHost is null ? HostOptions.ClientHostsName : HostOptions.ServerHostName;
        string? fault = request switch
        {
            { Action: CliAction.Versus } => "versus compares two builds on this machine. Use compare with results of both",
            _ when MulticastGroup.Of(plan) is not null => $"the multicast group {plan.Address} requires one machine. Use an address of one host",
            _ when plan.Hosts.ServerHost is null && IsLoopback(plan.Address) =>
                $"other hosts cannot reach a server at {plan.Address}. Use {HostOptions.ServerHostName}, or an address of this host ({LoadOptions.Address})",
            _ => null,
        };
        if (fault is not null)
        {
            throw Rejected(option, $"{fault}.");
        }
    }

    public static void RequireHosts(HostsPlan hosts, string option)
    {
        if (hosts.IsNone)
        {
            throw BenchmarkException.BadInput(
                $"{option} requires hosts, such as {HostOptions.ServerHostName} node1 {HostOptions.ClientHostsName} node2,node3.");
        }
    }

    public static void CheckPart(CliRequest request)
    {
        if (request.BenchmarkPart != SuitePart.Loss)
        {
            return;
        }

        if (request.Action == CliAction.Versus)
        {
            throw Rejected(RunOptions.Benchmark.Name, "versus cannot divide the cases of loss into slices. Use another part.");
        }

        if (!request.Plan.Hosts.IsNone)
        {
            string option = request.Plan.Hosts.ServerHost is null ? HostOptions.ClientHostsName : HostOptions.ServerHostName;
            throw Rejected(option, "-b=loss requires both sides on this machine. Use another part.");
        }
    }

    private static bool IsLoopback(string text) => text == "localhost" || (IPAddress.TryParse(text, out IPAddress? address) && IPAddress.IsLoopback(address));
}
