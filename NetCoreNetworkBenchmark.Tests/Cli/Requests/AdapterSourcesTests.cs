namespace NetCoreNetworkBenchmark.Tests.Cli.Requests;

public sealed class AdapterSourcesTests : InTemporaryFolder
{
    [Fact]
    public void PathsIn_returns_the_assemblies_of_every_spelling() => Assert.Equal(
        ["a.dll", "b.dll", "c.dll"], AdapterSources.PathsIn(["--load", "a.dll", "-c", "1", "--load=b.dll", "--load:c.dll", "--loadgenerators=1"]));

    [Theory, InlineData(true), InlineData(false)]
    public void Complete_adds_the_assemblies_of_the_variable_and_those_of_the_file_that_the_user_allows(bool allows)
    {
        const string Text = """{ "load": ["bin/c.dll"] }""";
        string file = PathOf(AdapterSources.FileName);
        File.WriteAllText(file, Text);
        var questions = new List<(string, string, string)>();
        IReadOnlyList<string> completed = AdapterSources.Complete(
            ["-c", "1"], $"a.dll{Path.PathSeparator}b.dll", Folder.FullName, (path, text, paths) =>
            {
                questions.Add((path, text, Assert.Single(paths)));
                return allows;
            });
        Assert.Equal(["-c", "1", "--load", "a.dll", "--load", "b.dll", .. allows ? (string[])["--load", PathOf("bin", "c.dll")] : []], completed);
        Assert.Equal([(file, Text, PathOf("bin", "c.dll"))], questions);
    }

    [Theory, InlineData("bin/c.dll", null), InlineData("d.dll", "./bin/c.dll")]
    public void An_assembly_of_the_file_that_the_user_names_too_needs_no_permission(string argument, string? variable)
    {
        File.WriteAllText(PathOf(AdapterSources.FileName), """{ "load": ["bin/c.dll"] }""");
        string[] ofVariable = variable is null ? [] : ["--load", variable];
        Assert.Equal(
            ["--load", argument, .. ofVariable],
            AdapterSources.Complete(["--load", argument], variable, Folder.FullName, (_, _, _) => throw new InvalidOperationException("It questions.")));
    }

    [Fact]
    public void Contains_has_what_was_added_until_its_text_or_its_place_changes()
    {
        string list = PathOf("config", "allowed");
        Assert.False(new AllowedFiles(list).Contains("/a/file", "text"));
        new AllowedFiles(list).Add("/a/file", "text");
        new AllowedFiles(list).Add("/b/file", "other");
        var allowed = new AllowedFiles(list);
        Assert.True(allowed.Contains("/a/file", "text"));
        Assert.True(allowed.Contains("/b/file", "other"));
        Assert.False(allowed.Contains("/a/file", "other"));
        Assert.False(allowed.Contains("/c/file", "text"));
    }

    [Fact]
    public void A_list_that_cannot_be_written_is_named_with_the_remedy()
    {
        string list = Path.Combine(PathOf("file"), "allowed");
        File.WriteAllText(PathOf("file"), string.Empty);
        var exception = Assert.Throws<BenchmarkException>(() => new AllowedFiles(list).Add("/a/file", "text"));
        exception.Message.AssertBegins($"The list of allowed files '{list}' cannot be used (");
        exception.Message.AssertEnds("). Set XDG_CONFIG_HOME to another folder.");
    }

    [Fact]
    public void Complete_without_a_variable_and_a_file_adds_nothing() => Assert.Equal(["-c", "1"], Complete(null, "-c", "1"));

    [Theory, InlineData("--version"), InlineData("--verbose", "compare", "a", "b"), InlineData("report", "a")]
    public void Complete_adds_nothing_to_a_command_that_loads_nothing(params string[] arguments) => Assert.Equal(arguments, Complete("a.dll", arguments));

    [Theory, InlineData("-o", "report"), InlineData("regress", "../old"), InlineData("check", "-l", "Any"), InlineData("--list")]
    public void Complete_adds_the_assemblies_to_a_command_that_loads_them(params string[] arguments) =>
        Assert.Equal([.. arguments, "--load", "a.dll"], Complete("a.dll", arguments));

    [Theory, InlineData("""{ "load": [null] }"""), InlineData("{"), InlineData("""{ "loads": [] }"""), InlineData("""{ "load": null }"""), InlineData("null")]
    public void A_file_that_is_not_valid_is_bad_input(string text)
    {
        File.WriteAllText(PathOf(AdapterSources.FileName), text);
        var exception = Assert.Throws<BenchmarkException>(() => Complete(variable: null));
        Assert.True(exception.IsBadInput);
        exception.Message.AssertHas(AdapterSources.FileName);
    }

    private IReadOnlyList<string> Complete(string? variable, params string[] arguments) =>
        AdapterSources.Complete(arguments, variable, Folder.FullName, (_, _, _) => true);
}
