namespace NetCoreNetworkBenchmark.Tests.Cli.Requests;

public sealed class AdapterSourcesTests : InTemporaryFolder
{
    [Fact]
    public void PathsIn_returns_the_assemblies_of_every_spelling() => Assert.Equal(
        ["a.dll", "b.dll", "c.dll"], AdapterSources.PathsIn(["--load", "a.dll", "-c", "1", "--load=b.dll", "--load:c.dll", "--loadgenerators=1"]));

    [Fact]
    public void Complete_adds_the_assemblies_of_the_variable_and_of_the_file_and_names_those_of_the_file()
    {
        File.WriteAllText(PathOf(AdapterSources.FileName), """{ "load": ["bin/c.dll"] }""");
        var lines = new List<string>();
        Assert.Equal(
            ["-c", "1", "--load", "a.dll", "--load", "b.dll", "--load", PathOf("bin", "c.dll")],
            AdapterSources.Complete(["-c", "1"], $"a.dll{Path.PathSeparator}b.dll", Folder.FullName, lines.Add));
        Assert.Equal([$"Loading '{PathOf("bin", "c.dll")}', which .netbench.json of the current folder names."], lines);
    }

    [Fact]
    public void Complete_without_a_variable_and_a_file_adds_nothing() => Assert.Equal(["-c", "1"], Complete(null, "-c", "1"));

    [Theory, InlineData("--version"), InlineData("--verbose", "compare", "a", "b"), InlineData("report", "a"), InlineData("--agent")]
    public void Complete_adds_nothing_to_a_command_that_loads_nothing(params string[] arguments) => Assert.Equal(arguments, Complete("a.dll", arguments));

    [Theory, InlineData("-o", "report"), InlineData("versus", "../old"), InlineData("check", "-l", "Any"), InlineData("--list")]
    public void Complete_adds_the_assemblies_to_a_command_that_loads_them(params string[] arguments) =>
        Assert.Equal([.. arguments, "--load", "a.dll"], Complete("a.dll", arguments));

    [Fact]
    public void A_shell_is_offered_the_libraries_of_the_line_and_of_the_variable() =>
        Assert.Equal(["a.dll", "b.dll"], AdapterSources.ForSuggestions("--load b.dll -l ", "a.dll"));

    [Theory, InlineData("""{ "load": [null] }"""), InlineData("{"), InlineData("""{ "loads": [] }"""), InlineData("""{ "load": null }"""), InlineData("null")]
    public void A_file_that_is_not_valid_is_bad_input(string text)
    {
        File.WriteAllText(PathOf(AdapterSources.FileName), text);
        var exception = Assert.Throws<BenchmarkException>(() => Complete(variable: null));
        Assert.True(exception.IsBadInput);
        Assert.Contains(AdapterSources.FileName, exception.Message, StringComparison.Ordinal);
    }

    private IReadOnlyList<string> Complete(string? variable, params string[] arguments) =>
        AdapterSources.Complete(arguments, variable, Folder.FullName, _ => { });
}
