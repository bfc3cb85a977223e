using System.CommandLine;
using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Commands;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Machine.Limits;
using NetCoreNetworkBenchmark.Running.Machine.Processes;
using NetCoreNetworkBenchmark.Running.Paths;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Reads arguments (<see cref="CommandLine"/>), checks the plan (Checks), runs a command (Commands), writes its result (Files).</summary>
/// <param name="isOutputLost">Whether standard output lost text although its reader had not ended; null if it never does.</param>
internal sealed class Application(Catalog catalog, IReadOnlyList<IReport> reports, TextWriter output, TextWriter errors, Func<bool>? isOutputLost = null)
{
    private static readonly TimeSpan s_longestEnd = TimeSpan.FromSeconds(5);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CommandContext _context = new(catalog, reports, output, errors) { IsOutputLost = isOutputLost ?? (() => false) };

    public static bool IsAgent(IReadOnlyList<string> arguments) => arguments is [AgentProgram.Option];

    public async Task<int> RunAsync(IReadOnlyList<string> arguments)
    {
        if (IsAgent(arguments))
        {
            // It leaves the explanation to its coordinator.
            return await UntilSignalAsync(_ => RunAgentAsync(), isVerbose: false, threads: null);
        }

        if (errors is not JsonLines && HasLiveErrors(arguments))
        {
            await using var lines = new JsonLines(errors);
            return await new Application(catalog, reports, output, lines, isOutputLost).RunAsync(arguments);
        }

        if (arguments.Any(argument => argument.Split('=', ':')[0] == RunOptions.Json.Name) && output == Console.Out)
        {
            // What a library prints must not appear in the document. Its class is created before the arguments are parsed.
            Console.SetOut(errors);
        }

        CommandLine commandLine;
        IReadOnlyList<string> typed = arguments;
        try
        {
            arguments = LoadAssemblies(arguments);
            commandLine = new CommandLine(
                catalog.Workloads, catalog.Parts, catalog.KnownLibraries, [.. reports.Select(report => report.Name)], catalog.KnownPackages,
                () => catalog.SettingValues);
        }
        catch (BenchmarkException exception)
        {
            await errors.WriteLineAsync($"Error: {exception.Message}");
            return ExitCode.BadInput;
        }

        if (commandLine.SuggestionsFor(arguments) is { } suggestions)
        {
            await output.WriteAsync(string.Concat(suggestions.Select(suggestion => suggestion + output.NewLine)));
            return ExitCode.Success;
        }

        ParseResult parsed = commandLine.Parse(arguments);
        if (commandLine.IsHelpOrVersion(parsed))
        {
            return await parsed.InvokeAsync(new InvocationConfiguration { Output = output, Error = errors });
        }

        return await UntilSignalAsync(aborted => ExecuteAsync(commandLine, parsed, typed, aborted), parsed.IsVerbose(), ThreadLimit.Find());
    }

    // Before the arguments are parsed, so that their errors are lines of JSON too.
    private static bool HasLiveErrors(IReadOnlyList<string> arguments) => arguments.Index().Any(argument =>
        argument.Item.Split(['=', ':'], 2) is [RunOptions.LiveName, .. var values]
        && RunOptions.LiveFormat.Equals(values.Length > 0 ? values[0] : arguments.ElementAtOrDefault(argument.Index + 1), StringComparison.OrdinalIgnoreCase));

    private async Task<int> UntilSignalAsync(Func<CancellationToken, Task<int>> run, bool isVerbose, ThreadLimit? threads)
    {
        using var abort = new CancellationTokenSource();
        using PosixSignalRegistration interrupt = Abort(PosixSignal.SIGINT, abort);
        using PosixSignalRegistration terminate = Abort(PosixSignal.SIGTERM, abort);
        using PosixSignalRegistration hangUp = Abort(PosixSignal.SIGHUP, abort);

        // Ctrl+Break of Windows. Elsewhere the signal asks for a core dump.
        using PosixSignalRegistration? quit = OperatingSystem.IsWindows() ? Abort(PosixSignal.SIGQUIT, abort) : null;
        try
        {
            return await run(abort.Token);
        }
        catch (OperationCanceledException) when (abort.IsCancellationRequested)
        {
            await errors.WriteLineAsync("Error: the run was aborted before anything was measured.");
            return ExitCode.Failed;
        }
        catch (Exception exception)
        {
            bool isRefusal = exception is BenchmarkException { IsBadInput: true };
            string? reason = isRefusal ? null : ThreadLimit.Explain(threads);
            await errors.WriteLineAsync($"Error: {Describe(exception, reason, isVerbose)}");
            return isRefusal ? ExitCode.BadInput : ExitCode.Failed;
        }
        finally
        {
            _ended.TrySetResult();
        }
    }

    // Their libraries are valid values, so they are loaded before the arguments are parsed.
    private IReadOnlyList<string> LoadAssemblies(IReadOnlyList<string> arguments)
    {
        if (Suggestions.LineOf(arguments) is not null)
        {
            // A key that completes a word runs no code.
            return arguments;
        }

        arguments = AdapterSources.Complete(arguments, Environment.GetEnvironmentVariable(AdapterSources.Variable), CurrentFolder(), Allows);
        foreach (string path in AdapterSources.PathsIn(arguments))
        {
            catalog.Load(LibraryOptions.Describe(path));
        }

        return arguments;
    }

    private bool Allows(string file, string text, IReadOnlyList<string> paths)
    {
        var allowed = AllowedFiles.ForUser();
        string assemblies = $"'{string.Join("', '", paths.Select(PrintableText.From))}'";
        if (allowed.Contains(file, text))
        {
            _context.Notify($"Loading {assemblies}, which {AdapterSources.FileName} of the current folder names.");
            return true;
        }

        if (Console.IsInputRedirected || _context.ErrorsAreRedirected)
        {
            throw BenchmarkException.BadInput(
                $"'{PrintableText.From(file)}' names code that you have not allowed to run: {assemblies}. " +
                    $"Run the program with {RunOptions.List.Name} in a terminal and answer y, or name the code with {LibraryOptions.LoadName}.");
        }

        errors.Write($"'{PrintableText.From(file)}' names code: {assemblies}. Run it now, and whenever this file names it? [y/N] ");
        if (Console.ReadLine()?.Trim() is not ("y" or "Y" or "yes"))
        {
            return false;
        }

        allowed.Add(file, text);
        return true;
    }

    // Null if it has been deleted, or may not be read. Then it has no file for this user.
    private static string? CurrentFolder()
    {
        try
        {
            return Directory.GetCurrentDirectory();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string Describe(Exception exception, string? reason, bool isVerbose) => isVerbose ? $"{exception} {reason}".TrimEnd()
        : exception is BenchmarkException ? $"{exception.Message} {reason}".TrimEnd()
        : reason ?? $"{exception.Message} (--verbose shows where)";

    private PosixSignalRegistration Abort(PosixSignal signal, CancellationTokenSource abort) =>
        PosixSignalRegistration.Create(signal, context =>
        {
            // A second signal ends the process as usual. A terminal that closes sends its signal twice: from the shell and from the kernel.
            context.Cancel = signal == PosixSignal.SIGHUP || !abort.IsCancellationRequested;
            if (signal == PosixSignal.SIGTERM)
            {
                _ = OwnThread.RunAsync(EndByForce);
            }

            abort.Cancel();
            if (OperatingSystem.IsWindows() && signal is PosixSignal.SIGHUP or PosixSignal.SIGTERM)
            {
                // A window that closes, or the end of a session. Windows ends the process when this handler has returned, or after a few seconds.
                _ended.Task.Wait(s_longestEnd);
            }
        });

    // A service manager that sends SIGTERM waits only for a while, and whatever hangs must not outlive that. Child processes end with this one.
    private void EndByForce()
    {
        using var never = new ManualResetEventSlim();
        never.Wait(s_longestEnd);
        errors.WriteLine($"Error: the program did not end within {s_longestEnd.TotalSeconds:0} s of SIGTERM, and was ended.");
        Environment.Exit(ExitCode.Failed);
    }

    private async Task<int> ExecuteAsync(
        CommandLine commandLine, ParseResult parsed, IReadOnlyList<string> typed, CancellationToken cancellationToken)
    {
        if (commandLine.CommandWithoutLoadOf(parsed) is { } command)
        {
            return await command.RunAsync(parsed, _context with { Aborted = cancellationToken });
        }

        CliRequest request = commandLine.Read(parsed) with { Arguments = typed };
        request = request.WithPlans(plan => plan with { Assemblies = catalog.Loaded });
        if (request.Action is not (CliAction.List or CliAction.ListNetworks))
        {
            PlanCheck.RequireDescriptors(DescriptorLimit.Current());
            PlanCheck.RequireThreads(ThreadLimit.Find());
        }

        if (HasNetworkNamespaces(request))
        {
            // Usually the end of this process: the same command begins again in the namespace.
            await UserNamespace.RestartProcessInsideAsync(typed, cancellationToken);
        }

        request = await WithHostsAsync(request, cancellationToken);
        return request.LiveFile is { } file
            ? await ExecuteWithLiveFileAsync(request, file, cancellationToken)
            : await ExecuteAsync(request, _context, cancellationToken);
    }

    private static bool HasNetworkNamespaces(CliRequest request) => request.Action == CliAction.Benchmark
        ? !request.BenchmarkPart.HasSlices
        : request.Action == CliAction.Run && request.Plans.Any(NamespacePath.IsRequired);

    private async Task<CliRequest> WithHostsAsync(CliRequest request, CancellationToken cancellationToken)
    {
        // Slurm may choose the hosts, and --deploy without any is refused.
        if (request.Plan.Hosts is { IsNone: true, Launcher: not Launcher.Slurm, Deploy: false })
        {
            return request;
        }

        HostsPlan hosts = await HostChoice.CompleteAsync(request.Plan.Hosts, cancellationToken);
        request = request.WithPlans(plan => plan with { Hosts = hosts });
        PlanCheck.CheckBenchmarkPart(request);
        HostsPlan prepared = await DeployCommand.PrepareAsync(request, _context, cancellationToken);
        return request.WithPlans(plan => plan with { Hosts = prepared });
    }

    private async Task<int> ExecuteWithLiveFileAsync(CliRequest request, string file, CancellationToken cancellationToken)
    {
        using FileStream stream = LiveLines.Create(file);
        using var live = new StandardStream(descriptor: -1, stream);
        using TextWriter writer = live.CreateWriter();
        int code = await ExecuteAsync(request, _context with { LiveFile = writer }, cancellationToken);
        if (live.Failure is not { } failure)
        {
            return code;
        }

        _context.Notify($"Error: {RunOptions.LiveName}: '{file}' could not be written to: {failure.Message}");
        return code == ExitCode.Success ? ExitCode.Failed : code;
    }

    private static Task<int> ExecuteAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken) => request.Action switch
    {
        CliAction.List => Task.FromResult(ListCommand.Run(context)),
        CliAction.ListNetworks => Task.FromResult(ListCommand.RunNetworks(context)),
        CliAction.Undeploy => DeployCommand.UndeployAsync(request.Plan.Hosts, context, cancellationToken),
        CliAction.HostsCheck => HostsCheckCommand.RunAsync(request, context, cancellationToken),
        CliAction.Regress => new RegressCommand(request, context, cancellationToken).RunAsync(),
        CliAction.Benchmark => new SuiteCommand(request, context, cancellationToken).RunPredefinedAsync(),
        CliAction.Server => new RunCommand(request, context, cancellationToken).RunServerAsync(),
        CliAction.Client => new RunCommand(request, context, cancellationToken).RunClientsAsync(),
        CliAction.Sweep => new SweepCommand(request, context, cancellationToken).RunAsync(),
        CliAction.CapacitySearch => new RunCommand(request, context, cancellationToken).FindClientsAsync(),
        _ => new RunCommand(request, context, cancellationToken).RunAsync(),
    };

    private async Task<int> RunAgentAsync()
    {
        // Standard output belongs to the protocol: output of a library must not appear between two frames.
        Console.SetOut(Console.Error);
        (Stream input, Stream output) = StandardStream.TakeForFrames();
        await using var channel = new FrameChannel("The coordinator", input, output, besideLibrary: true);
        return await new Agent(channel, catalog).RunAsync() ? ExitCode.Success : ExitCode.Failed;
    }
}
