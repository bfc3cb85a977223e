using System.Globalization;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Converts a plan to the command line that requests it. A result quotes it, and a child process is started with it.</summary>
internal static class PlanArguments
{
    private static readonly RunPlan s_default = new() { Library = string.Empty };

    public static IReadOnlyList<string> Of(RunPlan plan, LibraryInfo library) =>
    [
        "--test", plan.Test,
        "--library", plan.Library,
        .. library.Over(plan.Protocol).HasTunedProfile ? (string[])[SettingArguments.ProfileOption, plan.Profile.ToString()] : [],
        .. SettingArguments.OfSettings(plan),
        "--protocol", plan.Protocol.ToString(),
        "--transmission", plan.Transmission.ToString(),
        .. StreamArguments.Of(plan),
        "--address", plan.Address,
        .. MulticastGroup.Of(plan) is null ? [] : (string[])["--multicast-interface", plan.MulticastInterface],
        "--port", Number(plan.Port),
        "--clients", Number(plan.Clients),
        .. plan.Rate is { } rate ? (string[])["--rate", Number(rate)] : ["--messages", Number(plan.ParallelMessages)],
        .. library.Over(plan.Protocol).MostServerThreads == 1 ? [] : (string[])["--server-threads", Number(plan.ServerThreads)],
        .. library.Over(plan.Protocol).ClientThreadsByPlan ? (string[])["--client-threads", Number(plan.ClientThreads)] : [],
        .. SettingArguments.OfPinning(plan.Pinning),
        "--size", Number(plan.MessageSize),
        "--messageload", plan.MessageLoad.ToString(),
        "--warmup", Number(plan.WarmUp.TotalSeconds),
        "--duration", Number(plan.Duration.TotalSeconds),
        .. plan.Iterations == 1 ? [] : (string[])["--iterations", Number(plan.Iterations)],
        .. plan.LossDeadline == s_default.LossDeadline ? [] : (string[])["--loss-deadline", Number(plan.LossDeadline.TotalSeconds)],
        .. plan.AnyMachine ? (string[])["--any-machine"] : [],
        .. ImpairmentArguments.Of(plan.Impairment).SelectMany(asked => (string[])[asked.Key, asked.Value]),
    ];

    public static string CommandOf(RunPlan plan, LibraryInfo library) => Command(Of(plan, library));

    /// <summary>Returns the command of a search for the most clients, with only the options that such a search accepts.</summary>
    /// <param name="plan">The plan of its steps.</param>
    /// <param name="clients">The requested bound; null if none was requested.</param>
    public static string CommandOfMaxClients(RunPlan plan, int? clients)
    {
        string[] arguments =
        [
            "--test", RunPlan.MaxClients,
            "--library", plan.Library,
            "--protocol", plan.Protocol.ToString(),
            "--transmission", plan.Transmission.ToString(),
            .. StreamArguments.Of(plan),
            "--address", plan.Address,
            "--port", Number(plan.Port),
            .. clients is { } bound ? (string[])["--clients", Number(bound)] : [],
            "--size", Number(plan.MessageSize),
            "--messageload", plan.MessageLoad.ToString(),
            "--deadline", $"{Number(plan.LossDeadline.TotalSeconds)}s",
        ];
        return Command(arguments);
    }

    // A path may contain blanks, and the command must work when it is pasted.
    private static string Command(IEnumerable<string> arguments)
    {
        IEnumerable<string> quoted = arguments.Select(argument => argument.Contains(' ', StringComparison.Ordinal) ? $"\"{argument}\"" : argument);
        return $"NetCoreNetworkBenchmark {string.Join(' ', quoted)}";
    }

    private static string Number<T>(T value)
        where T : IFormattable => value.ToString(null, CultureInfo.InvariantCulture);
}
