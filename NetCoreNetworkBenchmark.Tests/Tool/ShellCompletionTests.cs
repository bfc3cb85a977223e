namespace NetCoreNetworkBenchmark.Tests.Tool;

/// <summary>The completion scripts in the shells for which they are made.</summary>
[Trait("Category", "Long"), Collection(nameof(PowerShellEngine))]
public sealed class ShellCompletionTests(PowerShellEngine powerShell) : InTemporaryFolder
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(2);

    public static IEnumerable<TheoryDataRow<string, string, string>> Completed() =>
        from shell in (string[])["bash", "zsh", "fish"]
        from line in ((string Typed, string Line)[])[
            ("--see", "--seed"), ("-l net", "-l NetCoreServer"), ("-l Epoll,net", "-l Epoll,NetCoreServer"), ("--protocol=ss", "--protocol=Ssl"),
            ("-b=qui", "-b=quick"), ("compl", "completion"),
            ("report -f mark", "report -f markdown"), ("compare results/fi", "compare results/first.json")]
        select new TheoryDataRow<string, string, string>(shell, line.Typed, line.Line);

    [Theory, MemberData(nameof(Completed))]
    public async Task Shell_completes(string shell, string typed, string line) =>
        Assert.Equal(shell == "fish" ? line.Split(' ')[^1] : line, await InShellAsync(shell, "NetCoreNetworkBenchmark", typed));

    [Theory, InlineData("bash"), InlineData("zsh"), InlineData("fish")]
    public async Task Shell_completes_a_program_that_is_named_by_its_path(string shell) =>
        Assert.Equal(
            shell == "fish" ? "--seed\n--server-host\n--server-loop\n--server-name\n--server-threads\n--set" : "--seed",
            await InShellAsync(shell, BenchmarkProcess.Executable, shell == "fish" ? "--se" : "--see"));

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

    [Theory, InlineData("--see", "--seed"), InlineData("-l net", "NetCoreServer"), InlineData("-P ", "Udp\nTcp\nTls\nQuic\nSsl")]
    public async Task PowerShell_completes(string typed, string words)
    {
        string script = PathOf("completion.ps1");
        await File.WriteAllTextAsync(script, await RunAsync(BenchmarkProcess.Executable, "completion", "pwsh"), TestContext.Current.CancellationToken);
        Assert.Equal(words, await RunAsync("dotnet", powerShell.RequiredProgram, script, $"NetCoreNetworkBenchmark {typed}"));
    }

    private Task<string> InShellAsync(string shell, string program, string typed)
    {
        Assert.SkipUnless(
            Environment.GetEnvironmentVariable("PATH")!.Split(Path.PathSeparator).Any(folder => File.Exists(Path.Combine(folder, shell))),
            $"{shell} is not installed.");
        return shell switch { "bash" => InBashAsync(program, typed), "zsh" => InZshAsync(program, typed), _ => InFishAsync(program, typed) };
    }

    // An interactive shell that reads its own terminal, as script(1) has it, would also show its prompt and its colours. The line editor of bash can be asked
    // for nothing without one, so a key of its own writes the line to a file.
    private async Task<string> InBashAsync(string program, string typed)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The terminal is made by Linux' script(1).");
        string line = PathOf("line");
        await File.WriteAllTextAsync(
            PathOf("rc"),
            $"""
            PS1=
            eval "$('{BenchmarkProcess.Executable}' completion bash)"
            bind 'set enable-bracketed-paste off'
            bind -x '"\C-g": printf %s "$READLINE_LINE" >{line}; exit'
            """,
            TestContext.Current.CancellationToken);
        string keys = PathOf("keys");
        await File.WriteAllTextAsync(keys, $"{program} {typed}\t\a", TestContext.Current.CancellationToken);
        await RunAsync("sh", "-c", $"script -qec 'bash --noprofile --rcfile {PathOf("rc")} -i' /dev/null <{keys}");
        return await LineAsync(line, program);
    }

    private async Task<string> InZshAsync(string program, string typed)
    {
        string line = PathOf("line");
        string script = $$"""
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell 'autoload -U compinit; compinit -D -u; eval "$("{{BenchmarkProcess.Executable}}" completion zsh)"'
            zpty -w shell 'tell() { print -rn -- "$BUFFER" >{{line}}; exit }; zle -N tell; bindkey "^G" tell; bindkey "^I" complete-word'
            zpty -w -n shell $'{{program}} {{typed}}\t\a'
            while zpty -r shell said; do :; done
            """;
        await RunAsync("zsh", "-f", "-c", script);
        return await LineAsync(line, program);
    }

    private Task<string> InFishAsync(string program, string typed) =>
        RunAsync("fish", "--no-config", "-c", $"'{BenchmarkProcess.Executable}' completion fish | source; complete -C '{program} {typed}'");

    private static async Task<string> LineAsync(string file, string program)
    {
        string line = await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken);
        Assert.StartsWith($"{program} ", line, StringComparison.Ordinal);
        return line[(program.Length + 1)..].TrimEnd();
    }

    private async Task<string> RunAsync(params string[] command)
    {
        Directory.CreateDirectory(PathOf("results"));
        await File.WriteAllTextAsync(PathOf("results", "first.json"), string.Empty, TestContext.Current.CancellationToken);
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

    // The arguments: the file of a script, whose output is printed, and a line that is completed after it.
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

        if (args.Length == 1)
        {
            return;
        }

        shell.Commands.Clear();
        foreach (CompletionResult match in CommandCompletion.CompleteInput(args[1], args[1].Length, null, shell).CompletionMatches)
        {
            Console.WriteLine(match.CompletionText);
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
            "build", project, "--no-restore", "--output", output, "--nologo", "--verbosity", "quiet", "--disable-build-servers");
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
