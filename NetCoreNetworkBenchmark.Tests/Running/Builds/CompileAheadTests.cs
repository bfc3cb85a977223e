using System.Diagnostics;
using NetCoreNetworkBenchmark.Tests.Hosts;

namespace NetCoreNetworkBenchmark.Tests.Running.Builds;

/// <summary>The step of the build that compiles packages ahead, which a build can do without.</summary>
[Trait("Category", "Long")]
public sealed class CompileAheadTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-ahead-");

    [Fact]
    public async Task A_build_goes_on_when_the_step_takes_too_long()
    {
        await WriteAsync("Program.cs", string.Empty);
        await WriteAsync("App.csproj", $"""
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
            WorkingDirectory = _folder.FullName,
        };
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, TimeSpan.FromMinutes(3));
        Assert.True(exitCode == 0, output + errors);
        Assert.Contains("Not compiled ahead, because .NET's compiler for that could not be had within 0 s: Fake.", output, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private Task WriteAsync(string name, string text) =>
        File.WriteAllTextAsync(Path.Combine(_folder.FullName, name), text, TestContext.Current.CancellationToken);
}
