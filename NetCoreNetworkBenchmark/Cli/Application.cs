using System.CommandLine;
using System.Runtime.InteropServices;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>
/// Carries out what the command line asks for. Results go to <c>output</c>; everything else a person may want to see goes to
/// <c>errors</c>. Exit codes: 0 a valid result, 1 a failed, invalid or aborted run, 2 input that is not valid.
/// </summary>
internal sealed class Application(Catalog catalog, IReadOnlyList<IReport> reports, TextWriter output, TextWriter errors)
{
    private const int Success = 0;
    private const int Failed = 1;
    private const int BadInput = 2;

    public async Task<int> RunAsync(IReadOnlyList<string> arguments)
    {
        var commandLine = new CommandLine([.. catalog.Workloads.Select(workload => workload.Name)], catalog.KnownLibraries);
        ParseResult parsed = commandLine.Parse(arguments);
        if (parsed.Action is not null && parsed.UnmatchedTokens.Count == 0 && parsed.Errors.Count == 0)
        {
            // --help and --version bring their own actions; nothing else does.
            return await parsed.InvokeAsync(new InvocationConfiguration { Output = output, Error = errors }).ConfigureAwait(false);
        }

        using var abort = new CancellationTokenSource();
        using PosixSignalRegistration interrupt = Abort(PosixSignal.SIGINT, abort);
        using PosixSignalRegistration terminate = Abort(PosixSignal.SIGTERM, abort);
        try
        {
            return await CarryOutAsync(commandLine.Read(parsed), abort).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (abort.IsCancellationRequested)
        {
            await errors.WriteLineAsync("Error: the run was aborted before anything was measured.").ConfigureAwait(false);
            return Failed;
        }
        catch (Exception exception) when (!commandLine.IsVerbose(parsed))
        {
            bool isOurs = exception is BenchmarkException;
            await errors.WriteLineAsync($"Error: {exception.Message}{(isOurs ? string.Empty : " (--verbose shows where)")}").ConfigureAwait(false);
            return exception is BenchmarkException { IsBadInput: true } ? BadInput : Failed;
        }
        catch (Exception exception)
        {
            await errors.WriteLineAsync($"Error: {exception}").ConfigureAwait(false);
            return exception is BenchmarkException { IsBadInput: true } ? BadInput : Failed;
        }
    }

    private static PosixSignalRegistration Abort(PosixSignal signal, CancellationTokenSource abort) =>
        PosixSignalRegistration.Create(signal, context =>
        {
            // A second signal ends the process as usual.
            context.Cancel = !abort.IsCancellationRequested;
            abort.Cancel();
        });

    private static void AbortWhenInputEnds(CancellationTokenSource abort) => _ = Task.Run(async () =>
    {
        using Stream input = Console.OpenStandardInput();
        var buffer = new byte[256];
        while (await input.ReadAsync(buffer).ConfigureAwait(false) > 0)
        {
            // Nothing is said on this channel yet: only its end has a meaning.
        }

        await abort.CancelAsync().ConfigureAwait(false);
    });

    private async Task<int> CarryOutAsync(CliRequest request, CancellationTokenSource abort)
    {
        if (request.IsChild)
        {
            AbortWhenInputEnds(abort);
        }

        if (request.List)
        {
            LibraryList.Write(catalog, ConsoleOn(output));
            return Success;
        }

        return request.Benchmark
            ? await RunSuiteAsync(request, abort.Token).ConfigureAwait(false)
            : await RunOneAsync(request, abort.Token).ConfigureAwait(false);
    }

    private async Task<int> RunOneAsync(CliRequest request, CancellationToken cancellationToken)
    {
        RunPlan plan = await ChooseLibraryAsync(request).ConfigureAwait(false);
        INetworkBenchmark library = PlanCheck.FindLibrary(catalog, plan.Library);
        PlanCheck.Check(plan, library.Info);
        ResultFiles? files = request.Output is null ? null : new ResultFiles(request.Output, reports);
        IWorkload workload = catalog.FindWorkload(plan.Test)!;
        RunResult result = await RunProgressLine.ShowAsync(
            ConsoleOn(errors),
            progress => new Runner(plan, library, workload) { Progress = progress }.RunAsync(cancellationToken)).ConfigureAwait(false);
        files?.Write(result);
        IReport printed = request.Json ? reports.OfType<JsonReport>().Single() : reports.OfType<MarkdownReport>().Single();
        printed.Write(result, output);
        foreach (string reason in result.InvalidReasons)
        {
            await errors.WriteLineAsync($"Invalid: {reason}").ConfigureAwait(false);
        }

        return result.Valid ? Success : Failed;
    }

    private async Task<RunPlan> ChooseLibraryAsync(CliRequest request)
    {
        RunPlan plan = request.Plan;
        if (request.LibraryWasChosen || catalog.CreateLibrary(plan.Library) is not null)
        {
            return plan;
        }

        const string Fallback = "Sockets";
        await errors.WriteLineAsync($"{plan.Library}, the default, is not in this build (--list shows why), so {Fallback} runs instead.").ConfigureAwait(false);
        return plan with { Library = Fallback };
    }

    private async Task<int> RunSuiteAsync(CliRequest request, CancellationToken cancellationToken)
    {
        string folder = Path.Combine(request.Output ?? BenchmarksFolder.Default(), BenchmarksFolder.MachineName(MachineInspector.Inspect()));
        var files = new ResultFiles(folder, reports);
        var progress = new SuiteProgress(ConsoleOn(errors));
        var suite = new Suite(catalog, PredefinedBenchmarks.All(request.BenchmarkDuration, request.BenchmarkPort))
        {
            Deadline = request.BenchmarkDeadline,
            Starting = progress.Starting,
            Finished = progress.Finished,
        };
        SuiteResult result = await progress.ShowAsync(() => suite.RunAsync(cancellationToken)).ConfigureAwait(false);
        files.Write(result);
        if (request.Json)
        {
            reports.OfType<JsonReport>().Single().Write(result, output);
        }
        else
        {
            MarkdownReport.WriteSummary(result, output);
            await output.WriteLineAsync().ConfigureAwait(false);
            await output.WriteLineAsync($"Written to {files.Folder}").ConfigureAwait(false);
        }

        bool allValid = !result.Aborted && result.Benchmarks.All(benchmark => benchmark.Runs.All(run => run.Failure is null));
        return allValid ? Success : Failed;
    }

    private static IAnsiConsole ConsoleOn(TextWriter writer)
    {
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(writer) });
        if (!console.Profile.Out.IsTerminal)
        {
            // A pipe has no width: nothing is to be broken or cut there.
            console.Profile.Width = 1000;
        }

        return console;
    }
}
