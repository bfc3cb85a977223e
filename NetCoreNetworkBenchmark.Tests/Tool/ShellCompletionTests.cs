namespace NetCoreNetworkBenchmark.Tests.Tool;

/// <summary>The completion scripts in the shells for which they are made.</summary>
[Trait("Category", "Long"), Collection(nameof(PowerShellEngine))]
public sealed class ShellCompletionTests(PowerShellEngine powerShell) : InTemporaryFolder
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(2);

    // Without the command, which is either the name of the program or its path.
    private static readonly (string Typed, string Completed)[] s_lines =
    [
        ("--see", "--seed"), ("-l net", "-l NetCoreServer"), ("-l Epoll,net", "-l Epoll,NetCoreServer"), ("--protocol=ss", "--protocol=Ssl"),
        ("-b=qui", "-b=quick"), ("compl", "completion"), ("report -f mark", "report -f markdown"), ("compare results/fi", "compare results/first.json"),
    ];

    [Theory, InlineData("bash"), InlineData("zsh"), InlineData("fish")]
    public async Task Shell_completes_options_values_and_files_of_the_program_and_of_its_path(string shell)
    {
        Assert.SkipWhen(SystemProgram.Find(shell) is null, $"{shell} is not installed.");
        (string Command, string Typed, string Completed)[] lines =
        [
            .. s_lines.Select(line => ("NetCoreNetworkBenchmark", line.Typed, line.Completed)),
            (BenchmarkProcess.Executable, s_lines[0].Typed, s_lines[0].Completed),
        ];
        string[] typed = [.. lines.Select(line => $"{line.Command} {line.Typed}")];
        string[] completed = await (shell switch { "bash" => InBashAsync(typed), "zsh" => InZshAsync(typed), _ => InFishAsync(typed) });

        // fish has completions without the line.
        Assert.Equal(lines.Select(line => shell == "fish" ? line.Completed.Split(' ')[^1] : $"{line.Command} {line.Completed}"), completed);
    }

    [Fact]
    public async Task Bash_completes_in_the_middle_of_a_line() => Assert.Equal(
        "--seed --server-host --server-loop --server-name --server-threads --set",
        await RunAsync(
            "bash", "--norc", "-c",
            $$"""
            eval "$('{{BenchmarkProcess.Executable}}' completion bash)"
            COMP_LINE='NetCoreNetworkBenchmark --se -c 1' COMP_POINT=28
            _NetCoreNetworkBenchmark_completion NetCoreNetworkBenchmark --se NetCoreNetworkBenchmark
            echo "${COMPREPLY[*]}"
            """));

    [Fact]
    public async Task PowerShell_completes()
    {
        string script = Write("completion.ps1", await RunAsync(BenchmarkProcess.Executable, "completion", "pwsh"));
        string[] typed = [.. ((string[])["--see", "-l net", "-P "]).Select(words => $"NetCoreNetworkBenchmark {words}")];
        Assert.Equal(
            "--seed\nNetCoreServer\nUdp\nTcp\nTls\nQuic\nSsl", await RunAsync(["dotnet", powerShell.RequiredProgram, script, .. typed]));
    }

    // An interactive shell that reads its own terminal, as script(1) has it, would also show its prompt and its colours. The line editor of bash can be asked
    // for nothing without one, so a key of its own writes the line to a file.
    private async Task<string[]> InBashAsync(string[] typed)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The terminal is made by Linux' script(1).");
        string rc = Write(
            "rc",
            $"""
            PS1=
            eval "$('{BenchmarkProcess.Executable}' completion bash)"
            bind 'set enable-bracketed-paste off'
            bind -x '"\C-g": printf "%s\n" "$READLINE_LINE" >>{PathOf("lines")}; READLINE_LINE= READLINE_POINT=0'
            """);
        string keys = Write("keys", $"{string.Concat(typed.Select(line => $"{line}\t\a"))}exit\n");
        await RunAsync("sh", "-c", $"script -qec 'bash --noprofile --rcfile {rc} -i' /dev/null <{keys}");
        return await LinesAsync();
    }

    private async Task<string[]> InZshAsync(string[] typed)
    {
        string script = $$"""
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell 'autoload -U compinit; compinit -D -u; eval "$("{{BenchmarkProcess.Executable}}" completion zsh)"'
            zpty -w shell 'tell() { print -r -- "$BUFFER" >>{{PathOf("lines")}}; BUFFER= }; zle -N tell; bindkey "^G" tell; bindkey "^I" complete-word'
            zpty -w -n shell $'{{string.Concat(typed.Select(line => $"{line}\\t\\a"))}}'
            zpty -w shell exit
            while zpty -r shell said; do :; done
            """;
        await RunAsync("zsh", "-f", "-c", script);
        return await LinesAsync();
    }

    private async Task<string[]> InFishAsync(string[] typed)
    {
        string script = $"'{BenchmarkProcess.Executable}' completion fish | source; for line in '{string.Join("' '", typed)}'; complete -C $line; end";
        return (await RunAsync("fish", "--no-config", "-c", script)).Split('\n');
    }

    // What a shell completed ends with a space.
    private async Task<string[]> LinesAsync() =>
        [.. (await File.ReadAllLinesAsync(PathOf("lines"), TestContext.Current.CancellationToken)).Select(line => line.TrimEnd())];

    private async Task<string> RunAsync(params string[] command)
    {
        Write("results/first.json", string.Empty);
        var start = new ProcessStartInfo(command[0], command[1..]) { WorkingDirectory = Folder.FullName };
        start.Environment["HOME"] = Folder.FullName;
        start.Environment["TERM"] = "xterm";
        start.Environment["DOTNET_ROOT"] = InstalledTool.Runtime();
        start.Environment["PATH"] = $"{Path.GetDirectoryName(BenchmarkProcess.Executable)}{Path.PathSeparator}{start.Environment["PATH"]}";
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, s_deadline);
        Assert.True(exitCode == 0, $"{exitCode}: {output}{errors}");
        return output.TrimEnd();
    }
}

/// <summary>
/// The engine of PowerShell in a program of its own, which is built once for all tests that use it. Completion and scripts are the engine's work:
/// <c>pwsh</c> adds a terminal.
/// </summary>
[CollectionDefinition(nameof(PowerShellEngine))]
public sealed class PowerShellEngine : IAsyncLifetime, ICollectionFixture<PowerShellEngine>
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

    // The arguments: the file of a script, whose output is printed, and lines that are completed after it.
    private const string Source = """
        using System;
        using System.IO;
        using System.Management.Automation;
        using System.Management.Automation.Runspaces;

        using var shell = PowerShell.Create(InitialSessionState.CreateDefault2());
        foreach (PSObject output in shell.AddScript(File.ReadAllText(args[0])).Invoke())
        {
            Console.WriteLine(output);
        }

        foreach (string line in args[1..])
        {
            shell.Commands.Clear();
            foreach (CompletionResult match in CommandCompletion.CompleteInput(line, line.Length, null, shell).CompletionMatches)
            {
                Console.WriteLine(match.CompletionText);
            }
        }
        """;

    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(5);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-powershell-");
    private string? _program;

    /// <summary>The program. A test is skipped if no package source has the engine.</summary>
    public string RequiredProgram
    {
        get
        {
            Assert.SkipWhen(_program is null, "No package source has the engine of PowerShell, System.Management.Automation 7.6.9.");
            return _program;
        }
    }

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
            "build", project, "--no-restore", "--output", output, "--nologo", "--verbosity", "quiet", "-nodeReuse:false");
        Assert.True(built == 0, said + errors);
        _program = Path.Combine(output, "engine.dll");
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
