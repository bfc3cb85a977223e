using System.Globalization;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>A plan as the command line that asks for it: what a result quotes, and what a child process is started with.</summary>
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

    /// <summary>The command of a search for the most clients: only what such a search takes.</summary>
    /// <param name="plan">The plan of its steps.</param>
    /// <param name="clients">The bound that was asked for; null where none was.</param>
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

    // A path may have blanks in it, and the command is to be pasted as it is.
    private static string Command(IEnumerable<string> arguments) =>
        $"NetCoreNetworkBenchmark {string.Join(' ', arguments.Select(argument => argument.Contains(' ', StringComparison.Ordinal) ? $"\"{argument}\"" : argument))}";

    private static string Number<T>(T value)
        where T : IFormattable => value.ToString(null, CultureInfo.InvariantCulture);
}
