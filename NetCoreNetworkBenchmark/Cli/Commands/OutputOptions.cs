using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Reports;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal sealed class OutputOptions(IReadOnlyCollection<string> formats, string folder)
{
    public Option<string> Format { get; } = new("--format", "-f")
    {
        HelpName = "VALUE",
        Description = $"format [options: {string.Join(", ", formats)}]; a drawing on a terminal if none is given",
        DefaultValueFactory = _ => "markdown",
        CompletionSources = { formats.ToArray() },
    };

    public Option<string> Output { get; } = new("--output", "-o")
    {
        HelpName = "DIR",
        Description = $"{folder}; or, with --format, a file with the extension of this format, such as page.html",
    };

    public Option<bool> Force { get; } = new("--force") { Description = "replace an earlier result or file at --output" };

    public bool HasFormat(ParseResult parsed) => parsed.GetResult(Format) is { Implicit: false };

    public IReport FormatOf(ParseResult parsed, CommandContext context) =>
        context.ReportNamed(OptionValues.Choice(Format.Name, parsed.GetValue(Format)!, formats));

    public void Require(IReport format, Result result, CommandContext context) => Rule.Check([new(Format.Name, format.FileNameOf(result) is null, () =>
        $"{WhyNot(format, result)}. Use {OptionValues.Or([.. formats.Where(name => context.ReportNamed(name).FileNameOf(result) is not null)])}.")]);

    /// <summary>Returns the reason without a full stop.</summary>
    public static string WhyNot(IReport format, Result result) => $"{format.Name} is not applicable to this {result.Kind.ToString().ToLowerInvariant()}";

    public string Write(Result result, string path, ParseResult parsed, CommandContext context)
    {
        if (HasFormat(parsed) && FormatOf(parsed, context) is var format && IsFileOf(format, result, path))
        {
            string file = Path.GetFullPath(path);
            RequireFree(file, result, "file", parsed);
            AtomicFile.RequireFolder(Path.GetDirectoryName(file)!);
            AtomicFile.Write(file, writer => format.Write(result, writer));
            return file;
        }

        ResultFiles files = FilesFor(result, path, parsed, context);
        files.Write(result);
        return files.Folder;
    }

    public void Print(Result result, bool json, ParseResult parsed, CommandContext context)
    {
        bool hasFormat = HasFormat(parsed);
        Rule.Check([Rule.Refuse("--json", hasFormat && json, () => $"cannot be combined with {Format.Name}. Use one of them.")]);
        IReport format = FormatOf(parsed, context);
        Require(format, result, context);
        string? path = parsed.GetValue(Output);
        if (hasFormat && path is not null)
        {
            context.Notify($"Written to {Write(result, path, parsed, context)}");
        }
        else if (hasFormat)
        {
            format.Write(result, context.Output);
        }
        else
        {
            ResultFiles? files = path is null ? null : FilesFor(result, path, parsed, context);
            context.Print(result, json);
            files?.Write(result);
        }
    }

    private ResultFiles FilesFor(Result result, string folder, ParseResult parsed, CommandContext context)
    {
        var files = new ResultFiles(folder, context.Reports, FormatOf(parsed, context));
        RequireFree(files.FileOf(result.Kind), result, "folder", parsed);
        return files;
    }

    // What is there is replaced by the same result, or if the user forces it.
    private void RequireFree(string file, Result result, string place, ParseResult parsed)
    {
        if (!parsed.GetValue(Force) && !ResultFiles.IsSame(file, result))
        {
            ResultFiles.RequireFree(file, place);
        }
    }

    // Anything else is a folder, as it was before a single file could be written.
    private static bool IsFileOf(IReport format, Result result, string path) => format.FileNameOf(result) is { } name
        && Path.GetExtension(path).Equals(Path.GetExtension(name), StringComparison.OrdinalIgnoreCase)
        && !Directory.Exists(path);
}
