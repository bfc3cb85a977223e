namespace NetCoreNetworkBenchmark.Tests.Cli.Requests;

public sealed class AdapterSourcesTests : InTemporaryFolder
{
    [Fact]
    public void PathsIn_returns_the_assemblies_of_every_spelling() => Assert.Equal(
        ["a.dll", "b.dll", "c.dll"], AdapterSources.PathsIn(["--load", "a.dll", "-c", "1", "--load=b.dll", "--load:c.dll", "--loadgenerators=1"]));

    [Fact]
    public void Complete_adds_the_assemblies_of_the_variable_and_of_the_file()
    {
        File.WriteAllText(PathOf(AdapterSources.FileName), """{ "load": ["bin/c.dll"] }""");
        Assert.Equal(
            ["-c", "1", "--load", "a.dll", "--load", "b.dll", "--load", PathOf("bin", "c.dll")],
            AdapterSources.Complete(["-c", "1"], $"a.dll{Path.PathSeparator}b.dll", Folder.FullName));
    }

    [Fact]
    public void Complete_without_a_variable_and_a_file_adds_nothing() =>
        Assert.Equal(["-c", "1"], AdapterSources.Complete(["-c", "1"], variable: null, Folder.FullName));

    [Theory, InlineData("--version"), InlineData("--verbose", "compare", "a", "b"), InlineData("report", "a"), InlineData("[suggest:3]", "-l ")]
    public void Complete_adds_nothing_to_a_command_that_loads_nothing(params string[] arguments) =>
        Assert.Equal(arguments, AdapterSources.Complete(arguments, "a.dll", Folder.FullName));

    [Theory, InlineData("""{ "load": [null] }"""), InlineData("{"), InlineData("""{ "loads": [] }"""), InlineData("""{ "load": null }"""), InlineData("null")]
    public void A_file_that_is_not_valid_is_bad_input(string text)
    {
        File.WriteAllText(PathOf(AdapterSources.FileName), text);
        var exception = Assert.Throws<BenchmarkException>(() => AdapterSources.Complete([], variable: null, Folder.FullName));
        Assert.True(exception.IsBadInput);
        Assert.Contains(AdapterSources.FileName, exception.Message, StringComparison.Ordinal);
    }
}
