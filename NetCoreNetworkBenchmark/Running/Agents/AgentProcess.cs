using System.ComponentModel;
using System.Diagnostics;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>
/// The coordinator's side of an agent: a fresh process of this same program, the channel over its standard input and output, and
/// the frames that it has sent. Disposing ends the process, by its own will or by force.
/// </summary>
internal sealed class AgentProcess : IAsyncDisposable
{
    /// <summary>The hidden option that makes a process an agent.</summary>
    public const string Option = "--agent";

    private static readonly TimeSpan s_exitAllowance = TimeSpan.FromSeconds(1.5);

    // The time for the exit of the process and for its output.
    private static readonly TimeSpan s_explanation = 2 * s_exitAllowance + TimeSpan.FromSeconds(0.5);

    private readonly Process _process;
    private readonly Task<string> _errors;
    private readonly FrameChannel _channel;
    private readonly CancellationTokenSource _disposing = new();
    private readonly TaskCompletionSource<string?> _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<ResultFrame> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<Exception> _broken = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource<Frame> _answer = NewAnswer();
    private Task _listening = Task.CompletedTask;

    /// <summary>Starts the process.</summary>
    /// <param name="role">The role of the process.</param>
    /// <param name="cores">The cores that all its threads are bound to; null if it is not bound.</param>
    /// <param name="build">Another build of this program, as the path of its assembly; null for this build.</param>
    /// <exception cref="BenchmarkException">The process cannot be started.</exception>
    public AgentProcess(AgentRole role, IReadOnlyList<int>? cores = null, string? build = null)
        : this(role, Program(build), cores)
    {
    }

    /// <summary>Starts the process with a given program.</summary>
    /// <param name="role">The role of the process.</param>
    /// <param name="start">The program that becomes the agent, and its arguments.</param>
    /// <param name="cores">The cores that all its threads are bound to; null if it is not bound.</param>
    /// <exception cref="BenchmarkException">The process cannot be started.</exception>
    public AgentProcess(AgentRole role, ProcessStartInfo start, IReadOnlyList<int>? cores = null)
    {
        Name = role switch
        {
            AgentRole.Both => "The process of the run",
            AgentRole.Client => "The clients' process",
            _ => $"The {role.ToString().ToLowerInvariant()}'s process",
        };
        Role = role;
        _process = Start(start, cores);
        _errors = _process.StandardError.ReadToEndAsync(CancellationToken.None);
        _channel = new FrameChannel(Name, _process.StandardOutput.BaseStream, _process.StandardInput.BaseStream);
    }

    public string Name { get; }

    public AgentRole Role { get; }

    /// <summary>Called with each sign of life that has progress to report.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Called when the clients enter a phase. They go on meanwhile: their frame is acknowledged when it has arrived.</summary>
    public Func<PhaseFrame, Task>? Entered { get; init; }

    /// <summary>Ends with the reason when the process cannot go on, or has gone early.</summary>
    public Task<Exception> Broken => _broken.Task;

    /// <summary>Sends hello and waits until the agent is ready. A process that measures raw sockets begins at once.</summary>
    /// <param name="plan">The plan of the run.</param>
    /// <param name="target">The end point of the server, for agents that need it.</param>
    /// <param name="credentials">The agent's part of the run's certificates and keys; null without TLS.</param>
    /// <param name="cancellationToken">Ends the wait; it has no deadline of its own.</param>
    /// <returns>The end point on which the agent listens; null for an agent that does not listen.</returns>
    public async Task<string?> GreetAsync(RunPlan plan, string? target, TlsCredentials? credentials, CancellationToken cancellationToken)
    {
        _listening = Task.Run(ListenAsync, CancellationToken.None);
        var hello = new HelloFrame(ResultBuilder.HarnessVersion, Role, plan, target) { Credentials = credentials };
        await TellAsync(hello, Deadlines.Process, cancellationToken).ConfigureAwait(false);
        return Role == AgentRole.Control ? null : await UnlessBrokenAsync(_ready.Task, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Sends a request that the process answers with a frame of the same type. Only one request at a time is possible.</summary>
    /// <returns>A task that ends with the answer; it has no deadline of its own.</returns>
    /// <exception cref="BenchmarkException">The request was not acknowledged in time, or the process has gone.</exception>
    public async Task<T> AskAsync<T>(T request, CancellationToken cancellationToken)
        where T : Frame
    {
        TaskCompletionSource<Frame> answer = NewAnswer();
        Volatile.Write(ref _answer, answer);
        await TellAsync(request, cancellationToken).ConfigureAwait(false);
        return await UnlessBrokenAsync(answer.Task, cancellationToken).ConfigureAwait(false) as T
            ?? throw new BenchmarkException($"{Name} gave another answer than the requested one.");
    }

    /// <summary>Waits for the result.</summary>
    /// <exception cref="BenchmarkException">The process broke down, or the deadline has passed.</exception>
    public async Task<ResultFrame> ResultAsync(TimeSpan deadline, CancellationToken cancellationToken)
    {
        try
        {
            return await UnlessBrokenAsync(_result.Task, cancellationToken).WaitAsync(deadline, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException exception)
        {
            throw Deadlines.Hung(deadline, exception);
        }
    }

    /// <summary>Sends a frame.</summary>
    /// <exception cref="BenchmarkException">The frame was not acknowledged in time, or the process has gone.</exception>
    public Task TellAsync(Frame frame, CancellationToken cancellationToken) => TellAsync(frame, FrameChannel.Patience, cancellationToken);

    public async ValueTask DisposeAsync()
    {
        await _disposing.CancelAsync().ConfigureAwait(false);
        try
        {
            await _channel.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            await EndAsync().ConfigureAwait(false);
        }

        await _listening.ConfigureAwait(false);
        _process.Dispose();
        _disposing.Dispose();
    }

    private async Task EndAsync()
    {
        if (!await ExitsAsync(s_exitAllowance).ConfigureAwait(false))
        {
            _process.Kill(entireProcessTree: true);
            await ExitsAsync(Deadlines.Process).ConfigureAwait(false);
        }
    }

    private async Task TellAsync(Frame frame, TimeSpan deadline, CancellationToken cancellationToken)
    {
        try
        {
            await _channel.SendAsync(frame, deadline, cancellationToken).ConfigureAwait(false);
        }
        catch (BenchmarkException exception) when (exception.InnerException is not TimeoutException)
        {
            // The listening task finds the reason of the end, and reports more.
            Task explained = await Task.WhenAny(Broken, Task.Delay(s_explanation, CancellationToken.None)).ConfigureAwait(false);
            throw explained == Broken && await Broken.ConfigureAwait(false) is BenchmarkException reason ? reason : exception;
        }
    }

    private async Task<T> UnlessBrokenAsync<T>(Task<T> awaited, CancellationToken cancellationToken)
    {
        Task first = await Task.WhenAny(awaited, Broken).WaitAsync(cancellationToken).ConfigureAwait(false);
        return first == awaited ? await awaited.ConfigureAwait(false) : throw await Broken.ConfigureAwait(false);
    }

    private static TaskCompletionSource<Frame> NewAnswer() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static ProcessStartInfo Program(string? build)
    {
        const string Host = "dotnet";
        string program = Environment.ProcessPath ?? throw new InvalidOperationException("The path of this program is not known.");

        // Started as 'dotnet NetCoreNetworkBenchmark.dll', the process is dotnet and needs the program as an argument.
        bool isHost = Path.GetFileNameWithoutExtension(program).Equals(Host, StringComparison.OrdinalIgnoreCase);
        var start = new ProcessStartInfo(isHost || build is null ? program : Host);
        if (isHost || build is not null)
        {
            start.ArgumentList.Add(build ?? Environment.GetCommandLineArgs()[0]);
        }

        start.ArgumentList.Add(Option);
        return start;
    }

    private Process Start(ProcessStartInfo start, IReadOnlyList<int>? cores)
    {
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        try
        {
            return PinnedProcess.Start(start, cores);
        }
        catch (Win32Exception exception)
        {
            throw new BenchmarkException($"{Name} could not be started ('{start.FileName}'): {exception.Message.TrimEnd('.')}.", exception);
        }
    }

    private async Task ListenAsync()
    {
        try
        {
            // The first frame comes when the runtime has started.
            TimeSpan patience = Deadlines.Process;
            while (await TakeNextAsync(patience).ConfigureAwait(false))
            {
                patience = FrameChannel.Patience;
            }
        }
        catch (OperationCanceledException) when (_disposing.IsCancellationRequested)
        {
            return;
        }
        catch (Exception exception)
        {
            _broken.TrySetResult(_channel.Ended.IsCompleted ? await ExplainEndAsync().ConfigureAwait(false) : exception);
        }
    }

    // Returns whether more frames are to come.
    private async Task<bool> TakeNextAsync(TimeSpan patience)
    {
        switch (await _channel.ReceiveAsync(patience, _disposing.Token).ConfigureAwait(false))
        {
            case ReadyFrame ready:
                _ready.TrySetResult(ready.EndPoint);
                return true;
            case ProgressFrame { Progress: { } progress }:
                Progress?.Invoke(progress);
                return true;
            case PhaseFrame phase when Entered is not null:
                await Entered(phase).ConfigureAwait(false);
                return true;
            case (MemoryFrame or SliceFrame) and var answer:
                Volatile.Read(ref _answer).TrySetResult(answer);
                return true;
            case ResultFrame result:
                _result.TrySetResult(result);
                return true;
            case FailureFrame failure:
                _broken.TrySetResult(new BenchmarkException(failure.Reason) { IsBadInput = failure.IsBadInput });
                return false;
            case ByeFrame:
                return false;
            default:
                return true;
        }
    }

    private async Task<BenchmarkException> ExplainEndAsync()
    {
        if (!await ExitsAsync(s_exitAllowance).ConfigureAwait(false))
        {
            return new BenchmarkException($"{Name} said something that is no frame.");
        }

        // A child of the process that outlives it may hold standard error open.
        bool isWhole = await Task.WhenAny(_errors, Task.Delay(s_exitAllowance)).ConfigureAwait(false) == _errors;
        string said = isWhole ? await _errors.ConfigureAwait(false) : string.Empty;
        string last = said.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).LastOrDefault() ?? "it said nothing";
        return new BenchmarkException($"{Name} broke down with exit code {_process.ExitCode}: {last.TrimEnd('.')}.");
    }

    private async Task<bool> ExitsAsync(TimeSpan deadline)
    {
        try
        {
            await _process.WaitForExitAsync().WaitAsync(deadline).ConfigureAwait(false);
            return true;
        }
        catch (TimeoutException)
        {
            return _process.HasExited;
        }
    }
}
