using NetCoreNetworkBenchmark.Tests.Hosts;

namespace NetCoreNetworkBenchmark.Tests.Running.Builds;

/// <summary>The step of the build that compiles packages ahead, which a build can do without.</summary>
[Trait("Category", "Long")]
public sealed class CompileAheadTests : InTemporaryFolder
{
    [Fact]
    public async Task A_build_goes_on_when_the_step_takes_too_long()
    {
        Write("Program.cs", string.Empty);
        Write("App.csproj", $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <MSBuildTreatWarningsAsErrors>true</MSBuildTreatWarningsAsErrors>
              </PropertyGroup>
              <ItemGroup>
                <PackageVersion Include="Fake" Version="1.0.0" />
                <CompileAhead Include="Fake" />
              </ItemGroup>
              <Import Project="{Golden.PathOfSource("build/CompileAhead.targets")}" />
            </Project>
            """);
        var start = new ProcessStartInfo("dotnet", ["build", "App.csproj", "--disable-build-servers", "-p:_AheadLimit=1"])
        {
            WorkingDirectory = Folder.FullName,
        };
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, TimeSpan.FromMinutes(3));
        Assert.True(exitCode == 0, output + errors);
        Assert.Contains("Not compiled ahead, because .NET's compiler for that could not be had within 0 s: Fake.", output, StringComparison.Ordinal);
    }
}
