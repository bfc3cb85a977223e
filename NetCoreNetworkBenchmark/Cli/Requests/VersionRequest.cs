using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <param name="Versions">The others are compared to the first.</param>
internal sealed partial record VersionRequest(string Library, IReadOnlyList<string> Versions)
{
    // The processes of all versions are alive together.
    private const int Max = 6;

    public IEnumerable<string> Arguments => [RunOptions.Versions.Name, $"{Library}={string.Join(',', Versions)}"];

    public static VersionRequest? Read(CliRequest request, IReadOnlyCollection<string> libraries, IReadOnlyCollection<string> packages)
    {
        if (request.Parsed.Argument(RunOptions.Versions) is not { } text)
        {
            return request.Parsed.Has(RunOptions.Versions) ? throw Invalid(string.Empty) : null;
        }

        if (text.Split('=', 2) is not [var name, var list]
            || list.Split(',') is not { Length: >= 2 and <= Max } versions
            || versions.Distinct(StringComparer.OrdinalIgnoreCase).Count() < versions.Length
            || !versions.All(IsVersion))
        {
            throw Invalid(text);
        }

        string library = libraries.FirstOrDefault(candidate => candidate.Equals(name, StringComparison.OrdinalIgnoreCase))
            ?? throw OptionValues.NotOneOf(RunOptions.Versions.Name, name, "the libraries with package versions:", packages);
        string? fault = request.Action switch
        {
            not (CliAction.Run or CliAction.Benchmark) => "versions are compared under one load, such as -c 100, or with -b",
            CliAction.Benchmark when !request.BenchmarkPart.HasSlices =>
                $"the cases of -b{request.BenchmarkPart.Suffix} cannot be divided into slices. Use another part, or one load",
            _ when !request.Plan.Hosts.IsNone => "the builds of the versions are on this machine. Omit the options of other hosts",
            _ when request.Parsed.Arguments(LibraryOptions.LibraryName) is [var named] && !named.Equals(library, StringComparison.OrdinalIgnoreCase) =>
                $"the versions are those of {library}, and {LibraryOptions.LibraryName} is {named}. Omit {LibraryOptions.LibraryName}",
            _ => null,
        };
        return fault is null ? new VersionRequest(library, versions) : throw OptionValues.Rejected(RunOptions.Versions.Name, $"{fault}.");
    }

    public static bool IsVersion(string text) => Version().IsMatch(text);

    private static BenchmarkException Invalid(string text) => OptionValues.Invalid(
        RunOptions.Versions.Name, text, $"a library with 2 to {Max} different versions of its package, such as LiteNetLib=2.1.3,2.1.5");

    [GeneratedRegex("^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}\\z")]
    private static partial Regex Version();
}
