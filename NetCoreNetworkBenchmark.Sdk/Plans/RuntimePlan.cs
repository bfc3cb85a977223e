using System.Collections.Frozen;
using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>
/// Settings of .NET's runtime for the processes that measure. Immutable and plain enough to serialize. A process reads them from its environment when it
/// starts (https://learn.microsoft.com/dotnet/core/runtime-config/).
/// </summary>
public sealed record RuntimePlan
{
    private const string Prefix = "DOTNET_";

    /// <summary>The names of the settings, as the runtime spells them. The runtime ignores others without a word.</summary>
    public static IReadOnlyList<string> Names { get; } =
    [
        "gcServer", "gcConcurrent", "GCHeapCount", "GCgen0size", "GCConserveMemory", "GCDynamicAdaptationMode", "TieredCompilation", "TieredPGO",
        "TC_QuickJit", "TC_QuickJitForLoops", "TC_CallCountingDelayMs", "TC_CallCountThreshold", "ReadyToRun",
        "ThreadPool_ForceMinWorkerThreads", "ThreadPool_ForceMaxWorkerThreads", "SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS",
    ];

    /// <summary>The values by the names of the settings; empty if the runtime's own apply.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init => field = new EquatableDictionary(value); } = EquatableDictionary.Empty;

    /// <summary>Whether the runtime's own settings apply.</summary>
    [JsonIgnore]
    public bool IsNone => Settings.Count == 0;

    /// <summary>The settings as variables of a process' environment.</summary>
    [JsonIgnore]
    public IEnumerable<KeyValuePair<string, string>> Environment => Settings.Select(setting => KeyValuePair.Create($"{Prefix}{setting.Key}", setting.Value));

    private static readonly FrozenDictionary<string, string> s_lessCompilation = new Dictionary<string, string>
    {
        ["TC_CallCountingDelayMs"] = "0",
        ["TC_CallCountThreshold"] = "3E8",
        ["EnableWriteXorExecute"] = "0",
    }.ToFrozenDictionary();

    /// <summary>
    /// Returns a plan whose processes are warm sooner. The runtime then counts the calls of a method from its start, and not only after a tenth of a second
    /// without new code. It compiles a method again after a thousand calls instead of thirty: the code that runs for each message soon has them, and code that
    /// runs once in a slice is left alone. Memory for code is not protected from being written, which takes a part of each start and compilation. The code for
    /// messages is the same in the end. A value that the user has chosen stays.
    /// </summary>
    public RuntimePlan WithLessCompilation() =>
        s_lessCompilation.Aggregate(this, (plan, setting) => plan.Settings.ContainsKey(setting.Key) ? plan : plan.With(setting.Key, setting.Value));

    /// <summary>Returns a plan without the settings that <see cref="WithLessCompilation"/> adds, which differ in no two plans.</summary>
    public RuntimePlan WithoutLessCompilation() => this with { Settings = Settings.Except(s_lessCompilation).ToDictionary() };

    /// <summary>Returns a plan with one more setting.</summary>
    public RuntimePlan With(string name, string value) => this with
    {
        Settings = new SortedDictionary<string, string>(Settings.ToDictionary(), StringComparer.Ordinal) { [name] = value },
    };

    /// <summary>Returns the settings with their values, in the order of their names.</summary>
    public override string ToString() => string.Join(
        ", ", Settings.OrderBy(setting => setting.Key, StringComparer.Ordinal).Select(setting => $"{setting.Key}={setting.Value}"));
}
