using System.Text;

namespace NetCoreNetworkBenchmark.Tests.Hosts;

/// <summary>A server program in the foreground of its own process, whose log is its standard error.</summary>
internal sealed class Daemon : IAsyncDisposable
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);
    private readonly Process _process;
    private readonly TaskCompletionSource _isReady = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task _reading;

    private Daemon(string[] command, string readyWords)
    {
        _process = Process.Start(new ProcessStartInfo(command[0], command[1..])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        _process.StandardInput.Close();
        _reading = Task.WhenAll(ReadAsync(readyWords), _process.StandardOutput.ReadToEndAsync());
    }

    /// <summary>Starts the program without a wait, so that several can start at the same time.</summary>
    /// <param name="readyWords">What its log contains when it serves.</param>
    /// <param name="command">The program must stay in this process: no fork.</param>
    public static Daemon Start(string readyWords, params string[] command) => new(command, readyWords);

    public Task ReadyAsync() => _isReady.Task.WaitAsync(s_deadline);

    /// <summary>Kills the program. Processes that it started go on.</summary>
    public async Task KillAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync().WaitAsync(s_deadline);
    }

    /// <summary>Waits until nothing writes into its log any more. The owner has killed its processes before.</summary>
    public async ValueTask DisposeAsync()
    {
        await KillAsync();
        await _reading.WaitAsync(s_deadline);
        _process.Dispose();
    }

    private async Task ReadAsync(string readyWords)
    {
        var all = new StringBuilder();
        while (await _process.StandardError.ReadLineAsync() is { } line)
        {
            if (_isReady.Task.IsCompleted)
            {
                continue;
            }

            all.Append(line).Append('\n');
            if (line.Contains(readyWords, StringComparison.Ordinal))
            {
                _isReady.SetResult();
            }
        }

        _isReady.TrySetException(new InvalidOperationException($"It ended without '{readyWords}': {all}"));
    }
}
