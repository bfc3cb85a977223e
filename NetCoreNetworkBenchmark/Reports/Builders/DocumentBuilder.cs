using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

internal static class DocumentBuilder
{
    /// <exception cref="FormatException">The result contains a histogram that cannot be read.</exception>
    public static Document Create(Result result) => result switch
    {
        RunResult run => RunBuilder.Create(run),
        SuiteResult suite => new SuiteBuilder(suite).Build(),
        ComparisonResult comparison => ComparisonBuilder.Create(comparison),
        SweepResult sweep => SearchBuilder.Create(sweep),
        SweepsResult sweeps => SearchBuilder.Create(sweeps),
        CapacityResult capacity => SearchBuilder.Create(capacity),
        ServerResult server => RunBuilder.Create(server),
        _ => throw new ArgumentException($"{result.GetType().Name} is not a known result.", nameof(result)),
    };
}

internal static class CommonBlocks
{
    public static Paragraph? Aborted(bool isAborted, string what) => !isAborted ? null : new Paragraph(
        Inline.Strong("Aborted:"), $" the {what} was ended before its time. What is here was measured until then.")
    { Tone = Tone.Bad };

    public static IEnumerable<Block> Warnings(Fitness fitness) =>
        fitness.Warnings.Select(warning => new Paragraph($"Warning: {warning}") { Tone = Tone.Doubtful });

    public static IEnumerable<Block> Notes(IEnumerable<string> remarks) => remarks.Select(remark => new Paragraph($"Note: {remark}"));

    public static IEnumerable<Block> Invalid(IEnumerable<string> reasons) =>
        reasons.Select(reason => new Paragraph(Inline.Strong("Invalid:"), $" {reason}") { Tone = Tone.Bad });

    public static IEnumerable<Block> Limits(Result result) =>
        result.AllLimits.Select(entry => new Paragraph($"Limit {entry.Limit.Sentence(entry.Case)}") { Tone = entry.Limit.Holds ? Tone.Good : Tone.Bad });

    public static Section Command(string? command) =>
        new("Command that repeats it", [command is null ? null : new CodeBlock(command)]) { Media = Media.File };

    public static string TransportOf(LibraryResult result) =>
        $"{result.LibraryVersion}, {result.Protocol}, {result.Transmission}{(result.Framing is null ? string.Empty : $", {FramingOf(result.Framing)}")}";

    public static string FramingOf(string? framing) => framing switch
    {
        null => string.Empty,
        "Fixed" => "messages of one size",
        "Checked" => "length, type and check code before each message",
        "Http" => "one request of HTTP/1.1 on each connection",
        _ => "a length before each message",
    };

    public static Facts LoadOn(EnvironmentInfo machine, params IEnumerable<Fact> facts) =>
        new([new("OS", machine.Os), new("Framework", machine.Framework), .. facts], FactStyle.List);

    public static Section Environment(EnvironmentInfo machine, Fitness? fitness) => new("Environment",
    [
        new Facts(
        [
            new("System", $"{machine.Os} ({machine.Kernel})"),
            new("Processor", $"{machine.Cpu}, {Plural.Format(machine.Cores, "logical core")}, {machine.Architecture}"),
            new("Cores", machine.CoreTopology),
            new("CPU quota", machine.CpuQuota is { } quota ? Plural.Format(quota, "core", format: "0.##") : null),
            new("Mainboard", machine.Mainboard ?? "unknown"),
            new("Memory", Figure(machine.MemoryBytes / BytesPerMebibyte / 1024, "N1", " GiB")),
            new("Framework", machine.Framework),
            new("Garbage collector", machine.GarbageCollector),
            new("Compilation", machine.Jit + (machine.IsDebugBuild ? ", a debug build: its figures mean nothing" : string.Empty)),
            new("Receive buffers up to", Known(machine.SocketReceiveBufferLimit, unit: " bytes")),
            new("Open descriptors up to", Known(machine.DescriptorLimit)),
            new("Runtime settings", machine.RuntimeSettings.Count == 0 ? null : Pairs(machine.RuntimeSettings)),
            new("Load average", Known(fitness?.LoadAverage, "0.00")),
            new("CPU governor", fitness?.CpuGovernor),
            new("Taken by the hypervisor", Known(fitness?.StealShare, "P1")),
            new("Taken by other programs", Known(fitness?.OtherShare, "P1")),
        ], FactStyle.List),
    ], Id: "environment")
    { Media = Media.File };
}
