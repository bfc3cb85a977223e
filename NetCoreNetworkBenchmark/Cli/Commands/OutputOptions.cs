using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Where a result of the commands without load goes, by <c>--format</c>, <c>--output</c> and <c>--force</c>.</summary>
internal sealed class OutputOptions(ParseResult parsed, CommandContext context)
{
    public const string FormatName = "--format";

    private const string DefaultFormat = "markdown";

    /// <param name="folder">What is written without a format.</param>
    public static PlanOption[] Declare(IReadOnlyCollection<string> formats, string folder) =>
    [
        new(FormatName, "format; a drawing on a terminal if none is given") { Alias = "-f", Choices = formats, Default = DefaultFormat },
        RunOptions.Output with { Help = $"{folder}; or, with --format, a file with the extension of this format, such as page.html" },
        RunOptions.Force with { Help = "replace an earlier result or file at --output" },
    ];

    public string? Target => parsed.Argument(RunOptions.Output);

    public bool HasFormat => parsed.Has(FormatName);

    /// <summary>Throws if there is no format of the requested name.</summary>
    public IReport Format => context.ReportNamed(
        OptionValues.Choice(FormatName, parsed.Argument(FormatName) ?? DefaultFormat, [.. context.Reports.Select(report => report.Name)]));

    public void RequireApplicable(Result result) => Rule.Check([new(FormatName, Format.FileNameOf(result) is null, () =>
        $"{WhyNot(Format, result)}. " +
            $"Use {OptionValues.Or([.. context.Reports.Where(report => report.FileNameOf(result) is not null).Select(report => report.Name)])}.")]);

    /// <summary>Returns the reason without a full stop.</summary>
    public static string WhyNot(IReport format, Result result) => $"{format.Name} is not applicable to this {result.Kind.ToString().ToLowerInvariant()}";

    public void Write(Result result, string path)
    {
        if (HasFormat && IsFileOf(Format, result, path))
        {
            string file = Path.GetFullPath(path);
            RequireFree(file, result, "file");
            AtomicFile.RequireFolder(Path.GetDirectoryName(file)!);
            AtomicFile.Write(file, writer => Format.Write(result, writer));
            context.Notify($"Written to {file}");
            return;
        }

        ResultFiles files = FilesFor(result, path);
        files.Write(result);
        context.Notify($"Written to {files.Folder}");
    }

    public void Print(Result result, bool json)
    {
        Rule.Check([Rule.Refuse("--json", HasFormat && json, () => $"cannot be combined with {FormatName}. Use one of them.")]);
        RequireApplicable(result);
        if (HasFormat && Target is { } path)
        {
            Write(result, path);
        }
        else if (HasFormat)
        {
            Format.Write(result, context.Output);
        }
        else
        {
            ResultFiles? files = Target is { } folder ? FilesFor(result, folder) : null;
            context.Print(result, json);
            files?.Write(result);
        }
    }

    private ResultFiles FilesFor(Result result, string folder)
    {
        var files = new ResultFiles(folder, context.Reports, Format);
        RequireFree(files.FileOf(result.Kind), result, "folder");
        return files;
    }

    // What is there is replaced by the same result, or if the user forces it.
    private void RequireFree(string file, Result result, string place)
    {
        if (!parsed.Has(RunOptions.Force) && !ResultFiles.IsSame(file, result))
        {
            ResultFiles.RequireFree(file, place);
        }
    }

    // Anything else is a folder, as it was before a single file could be written.
    private static bool IsFileOf(IReport format, Result result, string path) => format.FileNameOf(result) is { } name
        && Path.GetExtension(path).Equals(Path.GetExtension(name), StringComparison.OrdinalIgnoreCase)
        && !Directory.Exists(path);
}
