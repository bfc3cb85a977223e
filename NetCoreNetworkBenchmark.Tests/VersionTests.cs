namespace NetCoreNetworkBenchmark.Tests;

public sealed partial class VersionTests
{
    [Theory]
    [InlineData("CHANGELOG.md")]
    [InlineData("Docs/examples/DotNetty/DotNetty.csproj")]
    [InlineData("NetCoreNetworkBenchmark.Templates/netbench-library/MyLibrary.csproj")]
    public void A_file_names_the_version_of_Directory_Build_props(string file) =>
        Assert.Equal(ResultBuilder.HarnessVersion, Version().Match(File.ReadAllText(Golden.PathOfSource(file))).Groups["version"].Value);

    [GeneratedRegex(@"(^## |""NetCoreNetworkBenchmark\.Sdk"" Version="")(?<version>\d+\.\d+\.\d+)\b", RegexOptions.Multiline)]
    private static partial Regex Version();
}
