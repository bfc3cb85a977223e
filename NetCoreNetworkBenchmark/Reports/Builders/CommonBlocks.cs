using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The blocks that the reports of several kinds of results have.</summary>
internal static class CommonBlocks
{
    public static IEnumerable<Block> Aborted(bool isAborted, string what) => isAborted
        ? [new Paragraph(Inline.Strong("Aborted:"), $" the user ended the {what} before its time. What is here was measured until then.") { Tone = Tone.Bad }]
        : [];

    public static IEnumerable<Block> Paragraphs(IEnumerable<string> texts, Tone tone = Tone.Plain) =>
        texts.Select(text => new Paragraph(text) { Tone = tone });

    public static IEnumerable<Block> Warnings(Fitness fitness) => Paragraphs(fitness.Warnings.Select(warning => $"Warning: {warning}"), Tone.Doubtful);

    public static IEnumerable<Block> Notes(IEnumerable<string> remarks) => Paragraphs(remarks.Select(remark => $"Note: {remark}"));

    public static IEnumerable<Block> Invalid(IEnumerable<string> reasons) =>
        reasons.Select(reason => new Paragraph(Inline.Strong("Invalid:"), $" {reason}") { Tone = Tone.Bad });

    public static IEnumerable<Block> List(string title, IReadOnlyList<string> items) => items.Count == 0 ? [] : [new Section(title, [new BulletList(items)])];

    public static IEnumerable<Block> Command(string? command) => command is null
        ? []
        : [new Section("Command that repeats it", [new CodeBlock(command)]) { Media = Media.File }];

    /// <summary>Returns what ran: the version of the library, transport, delivery and framing.</summary>
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

    /// <summary>Returns the system and the framework, with which the facts of a load begin.</summary>
    public static Fact[] SystemOf(EnvironmentInfo machine) => [new("OS", machine.Os), new("Framework", machine.Framework)];

    public static Section Environment(EnvironmentInfo machine, Fitness? fitness) => new("Environment",
    [
        new Facts(
        [
            new("System", $"{machine.Os} ({machine.Kernel})"),
            new("Processor", Invariant($"{machine.Cpu}, {machine.Cores} logical cores, {machine.Architecture}")),
            new("CPU quota", machine.CpuQuota is { } quota ? Invariant($"{quota:0.##} cores") : null),
            new("Mainboard", machine.Mainboard ?? "unknown"),
            new("Memory", Invariant($"{machine.MemoryBytes / BytesPerMegabyte / 1024:N1} GB")),
            new("Framework", machine.Framework),
            new("Garbage collector", machine.GarbageCollector),
            new("Compilation", machine.Jit + (machine.IsDebugBuild ? ", a debug build: its figures mean nothing" : string.Empty)),
            new("Receive buffers up to", machine.SocketReceiveBufferLimit is { } bytes ? Invariant($"{bytes:N0} bytes") : null),
            new("Open descriptors up to", machine.DescriptorLimit is { } limit ? Invariant($"{limit:N0}") : null),
            new("Runtime settings", machine.RuntimeSettings.Count == 0 ? null : Pairs(machine.RuntimeSettings)),
            new("Load average", fitness?.LoadAverage is { } load ? Invariant($"{load:0.00}") : null),
            new("CPU governor", fitness?.CpuGovernor),
            new("Taken by the hypervisor", fitness?.StealShare is { } stolen ? Invariant($"{stolen:P1}") : null),
            new("Taken by other programs", fitness?.OtherShare is { } other ? Invariant($"{other:P1}") : null),
        ]) { Style = FactStyle.List },
    ])
    { Id = "environment", Media = Media.File };
}
