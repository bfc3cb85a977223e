using System.Text.RegularExpressions;
using static NetCoreNetworkBenchmark.Options.PlanOption;

namespace NetCoreNetworkBenchmark.Options;

internal static partial class HostOptions
{
    public const string ServerHostName = "--server-host";
    public const string ClientHostsName = "--client-hosts";
    public const string LauncherName = "--launcher";

    public static IReadOnlyList<PlanOption> All { get; } = Grouped(
        OptionGroup.Hosts,
        new PlanOption(ServerHostName, "host of the server, as ssh or Slurm names it")
        {
            Details = "also with -b",
            ValueName = "HOST",
            IsForBenchmark = true,
            RequiresBothSides = true,
            Apply = (plan, text) => plan with { Hosts = plan.Hosts with { ServerHost = HostName(ServerHostName, text) } },
            Text = plan => plan.Hosts.ServerHost,
            Key = _ => "server on another host",
        },
        new PlanOption(ClientHostsName, "hosts of the clients: A,B,C evenly, or A=600,B=400 in a ratio")
        {
            Details = "with Slurm also all; also with -b",
            ValueName = "HOSTS",
            IsForBenchmark = true,
            RequiresBothSides = true,
            Apply = (plan, text) => plan with { Hosts = plan.Hosts with { ClientHosts = ReadHosts(text) } },
            Text = plan => plan.Hosts.ClientHosts.Count == 0 ? null : Describe(plan.Hosts.ClientHosts),
            Key = text => $"clients on {Plural.Format(text.Split(',').Length, "host")}",
        },
        Choice(
            LauncherName, null, "program that starts processes on other hosts", ["ssh", "slurm"],
            plan => plan.Hosts.Launcher.ToString().ToLowerInvariant(),
            (plan, text) => plan with { Hosts = plan.Hosts with { Launcher = Enum.Parse<Launcher>(text, ignoreCase: true) } }) with
        {
            IsForBenchmark = true,
            OmitsDefault = true,
        },
        Flag(
            "--deploy", "copy the program and its runtime to the hosts before the run",
            plan => plan.Hosts.Deploy, plan => plan with { Hosts = plan.Hosts with { Deploy = true } }) with
        {
            IsForBenchmark = true,
            RequiresBothSides = true,
        });

    private static ClientHost[] ReadHosts(string text)
    {
        ClientHost[] hosts = [.. text.Split(',').Select(ReadHost)];
        string[] twice = [.. hosts.GroupBy(host => host.Name).Where(same => same.Count() > 1).Select(same => same.Key)];
        return twice.Length == 0
            ? hosts
            : throw OptionValues.Rejected(ClientHostsName, $"\"{twice[0]}\" is named twice. Name each host once, such as a=2,b=1.");
    }

    private static ClientHost ReadHost(string text)
    {
        int separator = text.LastIndexOf('=');
        return separator < 0
            ? new ClientHost(HostName(ClientHostsName, text))
            : new ClientHost(
                HostName(ClientHostsName, text[..separator]),
                OptionValues.WholeNumber(ClientHostsName, text[(separator + 1)..], 1, PlanLimits.MaxClients));
    }

    private static string Describe(IReadOnlyList<ClientHost> hosts) => string.Join(
        ',',
        hosts.Select(host => hosts.All(each => each.Share == 1) ? host.Name : string.Create(CultureInfo.InvariantCulture, $"{host.Name}={host.Share}")));

    // A name that begins with a hyphen would be an option of ssh or srun, and other characters have a meaning for a shell.
    private static string HostName(string option, string text) => ValidName().IsMatch(text)
        ? text
        : throw OptionValues.Invalid(option, text, "a host name or address, such as node1, user@node1 or 10.0.0.5");

    [GeneratedRegex("^[A-Za-z0-9_\\[][A-Za-z0-9_.@:%\\[\\]-]*\\z")]
    private static partial Regex ValidName();
}
