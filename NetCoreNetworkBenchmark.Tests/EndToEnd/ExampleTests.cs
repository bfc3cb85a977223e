using System.Diagnostics;
using System.Threading.Channels;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The programs of Docs/examples, as a reader starts them: server and client in processes of their own.</summary>
public sealed class ExampleTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-");

    [Fact]
    public Task TcpChat_carries_what_one_guest_says_to_all() => ChatAsync("TcpChat", []);

    [Fact]
    public async Task SslChat_carries_what_one_guest_says_to_all()
    {
        (int exitCode, _, string errors) = await BenchmarkProcess.RunAsync("certificates", "--key", "p256", Path.Combine(_folder.FullName, "set"));
        Assert.True(exitCode == 0, errors);
        await ChatAsync("SslChat", [Path.Combine(_folder.FullName, "set")]);
    }

    [Fact]
    public async Task UdpEcho_sends_back_what_is_asked()
    {
        using var server = new Example("UdpEcho", "server", "0");
        string at = AddressIn(await server.SaysAsync("Echo at"));
        using var client = new Example("UdpEcho", "client", at);
        client.Type("How are you?");
        await client.SaysAsync("Echo: How are you?");
        Assert.Equal(0, await client.EndAsync());
        await server.SaysAsync("A client has gone.");
        Assert.Equal(0, await server.EndAsync());
    }

    [Fact]
    public async Task UdpMulticast_tells_two_clients_the_time()
    {
        using var server = new Example("UdpMulticast", "server", "0");
        string port = AddressIn(await server.SaysAsync("hears the time from")).Split(':')[1];
        using var first = new Example("UdpMulticast", "client", port);
        using var second = new Example("UdpMulticast", "client", port);
        await first.SaysAsync("It is ");
        await second.SaysAsync("It is ");
        Assert.Equal((0, 0), (await first.EndAsync(), await second.EndAsync()));
        Assert.Equal(0, await server.EndAsync());
    }

    [Theory]
    [InlineData("TcpChat")]
    [InlineData("SslChat")]
    [InlineData("UdpEcho")]
    [InlineData("UdpMulticast")]
    public async Task Without_arguments_an_example_says_how_it_is_used(string name)
    {
        using var example = new Example(name);
        await example.SaysAsync($"Usage: {name} server");
        Assert.Equal(2, await example.EndAsync());
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static async Task ChatAsync(string name, string[] more)
    {
        using var server = new Example(name, ["server", "0", .. more]);
        string at = AddressIn(await server.SaysAsync("The room is open at"));
        using var first = new Example(name, ["client", at, .. more]);
        await first.SaysAsync("there are 1.");
        using var second = new Example(name, ["client", at, .. more]);
        await first.SaysAsync("there are 2.");
        second.Type("Hello, everybody!");
        await first.SaysAsync("Hello, everybody!");
        await second.SaysAsync("Hello, everybody!");
        Assert.Equal(0, await second.EndAsync());
        await first.SaysAsync("A guest has gone");

        // When the server closes, the guests end too.
        Assert.Equal(0, await server.EndAsync());
        Assert.Equal(0, await first.EndAsync());
    }

    private static string AddressIn(string line) => $"127.0.0.1:{line.Split("127.0.0.1:")[1].Split(';')[0]}";

    /// <summary>One process of an example.</summary>
    private sealed class Example : IDisposable
    {
        private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);
        private readonly Process _process;
        private readonly Channel<string> _lines = Channel.CreateUnbounded<string>();

        public Example(string name, params string[] arguments)
        {
            var start = new ProcessStartInfo("dotnet", [AssemblyOf(name), .. arguments])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            _process = Process.Start(start)!;
            _process.OutputDataReceived += (_, line) => Keep(line);
            _process.ErrorDataReceived += (_, line) => Keep(line);
            _process.BeginOutputReadLine();
            _process.BeginErrorReadLine();
        }

        public void Type(string line) => _process.StandardInput.WriteLine(line);

        public async Task<string> SaysAsync(string words)
        {
            while (true)
            {
                string line = await _lines.Reader.ReadAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(s_deadline);
                if (line.Contains(words, StringComparison.Ordinal))
                {
                    return line;
                }
            }
        }

        public async Task<int> EndAsync()
        {
            _process.StandardInput.Close();
            await _process.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(s_deadline);
            return _process.ExitCode;
        }

        public void Dispose()
        {
            if (!_process.HasExited)
            {
                _process.Kill(entireProcessTree: true);
            }

            _process.Dispose();
        }

        // Built with the solution, in the same configuration as these tests.
        private static string AssemblyOf(string name)
        {
            var output = new DirectoryInfo(AppContext.BaseDirectory);
            string configuration = output.Parent!.Name;
            DirectoryInfo root = output.Parent.Parent!.Parent!.Parent!;
            return Path.Combine(root.FullName, "Docs", "examples", name, "bin", configuration, output.Name, $"{name}.dll");
        }

        private void Keep(DataReceivedEventArgs line)
        {
            if (line.Data is { } text)
            {
                _lines.Writer.TryWrite(text);
            }
        }
    }
}
