using NetCoreNetworkBenchmark.Tests.Hosts;

namespace NetCoreNetworkBenchmark.Tests.Tool;

/// <summary>
/// The engine of PowerShell in a program of its own, which is built once for all tests of a class. Completion is the engine's work: <c>pwsh</c> adds a
/// terminal.
/// </summary>
public sealed class PowerShellEngine : IAsyncLifetime
{
    private const string Project = """
        <Project>
          <PropertyGroup>
            <ImportDirectoryBuildProps>false</ImportDirectoryBuildProps>
            <ImportDirectoryPackagesProps>false</ImportDirectoryPackagesProps>
          </PropertyGroup>
          <Import Project="Sdk.props" Sdk="Microsoft.NET.Sdk" />
          <PropertyGroup>
            <OutputType>Exe</OutputType>
            <TargetFramework>net10.0</TargetFramework>
          </PropertyGroup>
          <ItemGroup>
            <PackageReference Include="System.Management.Automation" Version="7.6.9" />
          </ItemGroup>
          <Import Project="Sdk.targets" Sdk="Microsoft.NET.Sdk" />
        </Project>
        """;

    // The arguments: the file of a script, and the line that is completed at its end.
    private const string Source = """
        using System;
        using System.IO;
        using System.Management.Automation;
        using System.Management.Automation.Runspaces;

        using var shell = PowerShell.Create(InitialSessionState.CreateDefault2());
        shell.AddScript(File.ReadAllText(args[0])).Invoke();
        shell.Commands.Clear();
        foreach (CompletionResult match in CommandCompletion.CompleteInput(args[1], args[1].Length, null, shell).CompletionMatches)
        {
            Console.WriteLine(match.CompletionText);
        }
        """;

    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(5);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-powershell-");

    /// <summary>The program; null if no package source has the engine.</summary>
    public string? Program { get; private set; }

    public async ValueTask InitializeAsync()
    {
        string project = Path.Combine(_folder.FullName, "engine.csproj");
        await File.WriteAllTextAsync(project, Project);
        await File.WriteAllTextAsync(Path.Combine(_folder.FullName, "Engine.cs"), Source);
        (int restored, _, _) = await RunAsync("restore", project, "--verbosity", "quiet", "-p:NuGetAudit=false");
        if (restored != 0)
        {
            return;
        }

        string output = Path.Combine(_folder.FullName, "out");
        (int built, string said, string errors) = await RunAsync(
            "build", project, "--no-restore", "--output", output, "--nologo", "--verbosity", "quiet", "--disable-build-servers");
        Assert.True(built == 0, said + errors);
        Program = Path.Combine(output, "engine.dll");
    }

    public ValueTask DisposeAsync()
    {
        _folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    // Not in a folder of the checkout, whose SDK and package sources are those of this build all the same.
    private Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] arguments) =>
        SystemCommand.RunAsync(new ProcessStartInfo("dotnet", arguments) { WorkingDirectory = _folder.FullName }, s_deadline);
}
