using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>The parts that are the same on the pages of all results. A page is one file that requests nothing.</summary>
internal static class HtmlPage
{
    // Nothing can be loaded, and nothing sent, even if a text of a result were taken for an element.
    private const string Policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

    /// <summary>Writes a page.</summary>
    /// <param name="writer">The file.</param>
    /// <param name="title">The title.</param>
    /// <param name="result">The result.</param>
    /// <param name="write">Writes the content.</param>
    public static void Write(TextWriter writer, string title, Result result, Action<HtmlWriter> write)
    {
        var html = new HtmlWriter(writer);
        html.Raw("<!DOCTYPE html>");
        html.Line();
        using HtmlWriter.Scope page = html.Begin("html", ("lang", "en"));
        WriteHead(title, html);
        using HtmlWriter.Scope body = html.Begin("body");
        using (html.Begin("main"))
        {
            html.Element("h1", title);
            html.Line();
            write(html);
        }

        html.Element("footer", $"NetCoreNetworkBenchmark {result.HarnessVersion}");
        html.Line();
        using HtmlWriter.Scope script = html.Begin("script");
        html.Raw(PageScript.Text.ReplaceLineEndings("\n"));
    }

    /// <summary>Begins a section with a heading.</summary>
    /// <param name="html">The page.</param>
    /// <param name="title">The heading.</param>
    /// <param name="level">The level of the heading.</param>
    /// <param name="id">The name for links; null if there is none.</param>
    public static HtmlWriter.Scope BeginSection(this HtmlWriter html, string title, int level = 2, string? id = null)
    {
        HtmlWriter.Scope section = html.Begin("section", ("id", id));
        html.Element(Invariant($"h{level}"), title);
        html.Line();
        return section;
    }

    /// <summary>Begins a row of plots.</summary>
    /// <param name="html">The page.</param>
    /// <param name="style">The style: <c>plots</c>, or <c>plots three</c> for three in the row of a wide window.</param>
    public static HtmlWriter.Scope BeginPlots(this HtmlWriter html, string style = "plots") => html.Begin("div", ("class", style));

    /// <summary>Writes names with their values.</summary>
    public static void WriteFacts(this HtmlWriter html, string style, params IEnumerable<(string Name, string? Value)> facts)
    {
        using HtmlWriter.Scope list = html.Begin("dl", ("class", style));
        foreach ((string name, string? value) in facts.Where(fact => fact.Value is not null))
        {
            using HtmlWriter.Scope fact = html.Begin("div");
            html.Element("dt", name);
            html.Element("dd", value!);
        }
    }

    /// <summary>Writes whether figures may be used, with the reasons why not.</summary>
    public static void WriteValidity(this HtmlWriter html, bool isValid, IEnumerable<string> reasons)
    {
        html.Element("p", isValid ? "Valid: the figures may be used." : "Invalid: the figures may not be used.", ("class", isValid ? "good" : "bad"));
        html.Line();
        MarkdownBlocks.WriteList(html, reasons);
    }

    /// <summary>Writes a warning for a result that the user ended.</summary>
    public static void WriteAborted(this HtmlWriter html, bool isAborted)
    {
        if (isAborted)
        {
            html.Element("p", "Aborted: the user ended the measurement before its time. What is here was measured until then.", ("class", "bad"));
            html.Line();
        }
    }

    /// <summary>Writes the command that repeats a measurement.</summary>
    public static void WriteCommand(this HtmlWriter html, string? command)
    {
        if (command is not null)
        {
            using HtmlWriter.Scope section = html.BeginSection("Command that repeats it");
            html.Element("pre", command, ("class", "figures"));
        }
    }

    /// <summary>Writes the machine and its fitness.</summary>
    public static void WriteEnvironment(this HtmlWriter html, EnvironmentInfo machine, Fitness? fitness)
    {
        using HtmlWriter.Scope section = html.BeginSection("Environment", id: "environment");
        html.WriteFacts(
            "facts",
            ("System", $"{machine.Os} ({machine.Kernel})"),
            ("Processor", Invariant($"{machine.Cpu}, {machine.Cores} logical cores, {machine.Architecture}")),
            ("CPU quota", machine.CpuQuota is { } quota ? Invariant($"{quota:0.##} cores") : null),
            ("Mainboard", machine.Mainboard ?? "unknown"),
            ("Memory", Invariant($"{machine.MemoryBytes / BytesPerMegabyte / 1024:N1} GB")),
            ("Framework", machine.Framework),
            ("Garbage collector", machine.GarbageCollector),
            ("Compilation", machine.Jit + (machine.IsDebugBuild ? ", a debug build: its figures mean nothing" : string.Empty)),
            ("Receive buffers up to", machine.SocketReceiveBufferLimit is { } bytes ? Invariant($"{bytes:N0} bytes") : null),
            ("Open descriptors up to", machine.DescriptorLimit is { } limit ? Invariant($"{limit:N0}") : null),
            ("Runtime settings", machine.RuntimeSettings.Count == 0
                ? null
                : string.Join(' ', machine.RuntimeSettings.Select(setting => $"{setting.Key}={setting.Value}"))),
            ("Load average", fitness?.LoadAverage is { } load ? Invariant($"{load:0.00}") : null),
            ("CPU governor", fitness?.CpuGovernor),
            ("Taken by the hypervisor", fitness?.StealShare is { } stolen ? Invariant($"{stolen:P1}") : null),
            ("Taken by other programs", fitness?.OtherShare is { } other ? Invariant($"{other:P1}") : null));
        MarkdownBlocks.WriteList(html, (fitness?.Warnings ?? []).Select(warning => $"Warning: {warning}"));
    }

    private static void WriteHead(string title, HtmlWriter html)
    {
        using HtmlWriter.Scope head = html.Begin("head");
        html.Empty("meta", ("charset", "utf-8"));
        html.Line();
        html.Empty("meta", ("http-equiv", "Content-Security-Policy"), ("content", Policy));
        html.Line();
        html.Empty("meta", ("name", "viewport"), ("content", "width=device-width, initial-scale=1"));
        html.Line();
        html.Element("title", title);
        html.Line();
        using HtmlWriter.Scope style = html.Begin("style");
        html.Raw(PageStyle.Text.ReplaceLineEndings("\n"));
    }
}
