using System.Threading.Channels;
using NetCoreNetworkBenchmark.Tests.Tool;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The programs of Docs/examples, as a reader starts them: server and client in processes of their own.</summary>
[Trait("Category", "Long")]
public sealed class ExampleTests : InTemporaryFolder
{
    [Fact]
    public Task Chat_carries_what_one_guest_says_to_all() => ChatAsync();

    [Fact]
    public async Task Chat_carries_what_one_guest_says_to_all_over_TLS()
    {
        (int exitCode, _, string errors) = await BenchmarkProcess.RunAsync("certificates", "--key", "p256", PathOf("set"));
        Assert.True(exitCode == 0, errors);
        await ChatAsync(PathOf("set"));
    }

    [Fact]
    public async Task UdpEcho_sends_back_what_it_received()
    {
        using var server = new Example("UdpEcho", "server", "0");
        string at = AddressIn(await server.PrintsAsync("Echo at"));
        using var client = new Example("UdpEcho", "client", at);
        client.Type("How are you?");
        await client.PrintsAsync("Echo: How are you?");
        Assert.Equal(0, await client.EndAsync());
        await server.PrintsAsync("A client has gone.");
        Assert.Equal(0, await server.EndAsync());
    }

    [Fact]
    public async Task UdpMulticast_sends_the_time_to_two_clients()
    {
        using var server = new Example("UdpMulticast", "server", "0");
        string port = AddressIn(await server.PrintsAsync("hears the time from")).Split(':')[1];
        using var first = new Example("UdpMulticast", "client", port);
        using var second = new Example("UdpMulticast", "client", port);
        await first.PrintsAsync("It is ");
        await second.PrintsAsync("It is ");
        Assert.Equal((0, 0), (await first.EndAsync(), await second.EndAsync()));
        Assert.Equal(0, await server.EndAsync());
    }

    [Fact]
    public async Task FramedChat_comes_back_when_its_server_was_killed_and_started_again()
    {
        Example server = new("FramedChat", "server", "0");
        string at = AddressIn(await server.PrintsAsync("The room is open at"));
        using var first = new Example("FramedChat", "client", at, "--reconnect", "0.2");
        await first.PrintsAsync("there are 1.");
        using var second = new Example("FramedChat", "client", at, "--reconnect", "0.2");
        await second.PrintsAsync("there are 2.");
        await ExchangeAsync(first, second);
        using (server)
        {
            server.Kill();
        }

        await first.PrintsAsync($"{at} is lost: ");
        await second.PrintsAsync("The client tries again every 0.2 s.");
        first.Type("Who is there?");
        await first.PrintsAsync("Not sent, as there is no connection: Who is there?");

        using var again = new Example("FramedChat", "server", at.Split(':')[1]);
        await first.PrintsAsync($"Connected to {at}.");
        await second.PrintsAsync($"Connected to {at}.");
        await first.PrintsAsync("there are 2.");
        await ExchangeAsync(first, second);
        Assert.Equal((0, 0), (await first.EndAsync(), await second.EndAsync()));
        await again.PrintsAsync("has gone: it closed the connection.");
        Assert.Equal(0, await again.EndAsync());
    }

    [Fact]
    public async Task FramedChat_drops_a_side_that_misses_three_heartbeats_and_keeps_one_that_sends_them()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The server is stopped by a signal.");
        string[] interval = ["--heartbeat", "0.4"];
        using var server = new Example("FramedChat", ["server", "0", .. interval]);
        string at = AddressIn(await server.PrintsAsync("The room is open at"));
        using var guest = new Example("FramedChat", ["client", at, "--reconnect", "0.1", .. interval]);
        await guest.PrintsAsync("there are 1.");

        // A client that never sends is sent heartbeats until it is dropped.
        using var silent = new TcpClient();
        await silent.ConnectAsync(IPEndPoint.Parse(at), TestContext.Current.CancellationToken);
        var seen = DecodedStream.Decode(await ReadToEndAsync(silent), largest: 1024);
        await server.PrintsAsync("has gone: three of its heartbeats were missed.");
        Assert.Equal((PackageFaults.None, 0), (seen.Faults, seen.Left));
        Assert.InRange(seen.Heartbeats, 1, int.MaxValue);

        // The guest has said nothing either.
        await guest.PrintsAsync("A guest has gone; there are 1.");
        await BenchmarkProcess.SignalAsync("STOP", server.Id);
        await guest.PrintsAsync($"{at} is lost: three of its heartbeats were missed.");
        await BenchmarkProcess.SignalAsync("CONT", server.Id);
        await guest.PrintsAsync("A guest has come; ");
        Assert.Equal(0, await guest.EndAsync());
    }

    [Fact]
    public async Task A_package_that_cannot_be_ends_its_connection_to_FramedChat_and_no_other()
    {
        using var server = new Example("FramedChat", "server", "0");
        string at = AddressIn(await server.PrintsAsync("The room is open at"));
        using var first = new Example("FramedChat", "client", at);
        await first.PrintsAsync("there are 1.");
        using var second = new Example("FramedChat", "client", at);
        await first.PrintsAsync("there are 2.");
        foreach ((string package, string reason) in ((string, string)[])
        [
            ("0000000801096869", "it sent a package with a wrong check code"),
            ("000000060206", "it sent a package of an unknown type"),
            ("FFFFFFFF0106", "it sent a package of a length that cannot be"),
            ("00000007000700", "it sent a package of a length that cannot be"),
        ])
        {
            using var stranger = new TcpClient();
            await stranger.ConnectAsync(IPEndPoint.Parse(at), TestContext.Current.CancellationToken);
            await first.PrintsAsync("there are 3.");
            await stranger.GetStream().WriteAsync(
                (byte[])[.. DecodedStream.Encode("Hello!"u8), .. Convert.FromHexString(package)], TestContext.Current.CancellationToken);

            // What came before it was said to all.
            await first.PrintsAsync("Hello!");
            await server.PrintsAsync($"has gone: {reason}.");
            var seen = DecodedStream.Decode(await ReadToEndAsync(stranger), largest: 1024);
            Assert.Equal((PackageFaults.None, 0), (seen.Faults, seen.Left));
            await first.PrintsAsync("A guest has gone; there are 2.");
        }

        await ExchangeAsync(first, second);
        Assert.Equal((0, 0), (await first.EndAsync(), await second.EndAsync()));
    }

    [Theory]
    [InlineData("Chat")]
    [InlineData("Chat", "server", "0", "folder", "more")]
    [InlineData("UdpEcho")]
    [InlineData("UdpMulticast")]
    [InlineData("FramedChat")]
    [InlineData("FramedChat", "server", "0", "--heartbeat", "0")]
    [InlineData("FramedChat", "server", "0", "--reconnect", "1")]
    [InlineData("FramedChat", "client", "127.0.0.1:1", "--reconnect", "often")]
    [InlineData("FramedChat", "client", "127.0.0.1:1", "--reconnect")]
    public async Task Example_prints_its_usage_without_arguments_or_with_an_option_that_cannot_be(string name, params string[] arguments)
    {
        using var example = new Example(name, arguments);
        await example.PrintsAsync($"Usage: {name} server");
        Assert.Equal(2, await example.EndAsync());
    }

    [Fact]
    public void FramedChat_is_built_without_the_harness()
    {
        string description = File.ReadAllText(Path.ChangeExtension(Example.AssemblyOf("FramedChat"), ".deps.json"));
        Assert.DoesNotContain("NetCoreNetworkBenchmark", description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task DotNetty_is_built_outside_the_checkout_measured_and_meets_the_requirements()
    {
        foreach (string file in Directory.GetFiles(Golden.PathOfSource("Docs/examples/DotNetty")))
        {
            File.Copy(file, PathOf(Path.GetFileName(file)));
        }

        Write("Directory.Build.targets", BuiltAdapter.TargetsWith());
        (int exitCode, string output, string errors) = await BuiltAdapter.BuildAsync(Folder.FullName);
        Assert.SkipWhen(exitCode != 0 && Regex.IsMatch(output, "error NU1(101|102|301)"), "No package source here has DotNetty.");
        Assert.True(exitCode == 0, output + errors);
        string[] load = ["--load", PathOf("bin", "Release", "net10.0", "DotNetty.dll"), "-l", "DotNetty", "-P", "Tcp"];
        (exitCode, _, errors) = await BenchmarkProcess.RunAsync([.. load, "-c", "4", "-d", "0.3", "-p", "0", "--any-machine"]);
        Assert.True(exitCode == 0, errors);

        // On a busy machine a check can miss its deadline, but the same one not twice.
        string[] failed = await FailedChecksAsync(load);
        Assert.Empty(failed.Length == 0 ? failed : failed.Intersect(await FailedChecksAsync(load)));
    }

    private static async Task<string[]> FailedChecksAsync(string[] load)
    {
        (_, string output, string errors) = await BenchmarkProcess.RunAsync(["check", .. load]);
        Assert.True(Regex.IsMatch(output, "[1-9][0-9]* passed, [0-9]+ failed"), output + errors);
        return [.. output.Split('\n').Where(line => line.StartsWith("failed ", StringComparison.Ordinal)).Select(line => line.Split(':')[0])];
    }

    private static async Task ChatAsync(params string[] folder)
    {
        using var server = new Example("Chat", ["server", "0", .. folder]);
        string at = AddressIn(await server.PrintsAsync("The room is open at"));
        using var first = new Example("Chat", ["client", at, .. folder]);
        await first.PrintsAsync("there are 1.");
        using var second = new Example("Chat", ["client", at, .. folder]);
        await first.PrintsAsync("there are 2.");
        second.Type("Hello, everybody!");
        await first.PrintsAsync("Hello, everybody!");
        await second.PrintsAsync("Hello, everybody!");
        Assert.Equal(0, await second.EndAsync());
        await first.PrintsAsync("A guest has gone");

        // When the server closes, the guests end too.
        Assert.Equal(0, await server.EndAsync());
        Assert.Equal(0, await first.EndAsync());
    }

    // Each hears what the other says.
    private static async Task ExchangeAsync(Example first, Example second)
    {
        first.Type("Hello, second!");
        await second.PrintsAsync("Hello, second!");
        second.Type("Hello, first!");
        await first.PrintsAsync("Hello, first!");
    }

    private static async Task<byte[]> ReadToEndAsync(TcpClient client)
    {
        using var all = new MemoryStream();
        try
        {
            await client.GetStream().CopyToAsync(all, TestContext.Current.CancellationToken).WaitAsync(Example.Deadline);
        }
        catch (IOException)
        {
            // A reset: the server has left bytes unread.
            return all.ToArray();
        }

        return all.ToArray();
    }

    private static string AddressIn(string line) => $"127.0.0.1:{line.Split("127.0.0.1:")[1].Split(';')[0]}";

    private sealed class Example : IDisposable
    {
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

        public static TimeSpan Deadline { get; } = TimeSpan.FromSeconds(60);

        public int Id => _process.Id;

        public void Type(string line) => _process.StandardInput.WriteLine(line);

        public async Task<string> PrintsAsync(string words)
        {
            while (true)
            {
                string line = await _lines.Reader.ReadAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(Deadline);
                if (line.Contains(words, StringComparison.Ordinal))
                {
                    return line;
                }
            }
        }

        public async Task<int> EndAsync()
        {
            _process.StandardInput.Close();
            await _process.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(Deadline);
            return _process.ExitCode;
        }

        public void Kill() => _process.Kill();

        public void Dispose()
        {
            if (!_process.HasExited)
            {
                _process.Kill(entireProcessTree: true);
            }

            _process.Dispose();
        }

        // Built with the solution, in the same configuration as these tests.
        public static string AssemblyOf(string name)
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
