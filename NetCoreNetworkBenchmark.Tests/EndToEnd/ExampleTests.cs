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
        using BenchmarkProcess server = Start("UdpEcho", "server", "0");
        string at = AddressIn(await server.PrintsAsync("Echo at"));
        using BenchmarkProcess client = Start("UdpEcho", "client", at);
        client.Type("How are you?");
        await client.PrintsAsync("Echo: How are you?");
        Assert.Equal(0, await EndAsync(client));
        await server.PrintsAsync("A client has gone.");
        Assert.Equal(0, await EndAsync(server));
    }

    [Fact]
    public async Task UdpMulticast_sends_the_time_to_two_clients()
    {
        using BenchmarkProcess server = Start("UdpMulticast", "server", "0");
        string port = AddressIn(await server.PrintsAsync("hears the time from")).Split(':')[1];
        using BenchmarkProcess first = Start("UdpMulticast", "client", port);
        using BenchmarkProcess second = Start("UdpMulticast", "client", port);
        await first.PrintsAsync("It is ");
        await second.PrintsAsync("It is ");
        Assert.Equal((0, 0), (await EndAsync(first), await EndAsync(second)));
        Assert.Equal(0, await EndAsync(server));
    }

    [Fact]
    public async Task FramedChat_comes_back_when_its_server_was_killed_and_started_again()
    {
        BenchmarkProcess server = Start("FramedChat", "server", "0");
        string at = AddressIn(await server.PrintsAsync("The room is open at"));
        using BenchmarkProcess first = Start("FramedChat", "client", at, "--reconnect", "0.2");
        await first.PrintsAsync("there are 1.");
        using BenchmarkProcess second = Start("FramedChat", "client", at, "--reconnect", "0.2");
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

        using BenchmarkProcess again = Start("FramedChat", "server", at.Split(':')[1]);
        await first.PrintsAsync($"Connected to {at}.");
        await second.PrintsAsync($"Connected to {at}.");
        await first.PrintsAsync("there are 2.");
        await ExchangeAsync(first, second);
        Assert.Equal((0, 0), (await EndAsync(first), await EndAsync(second)));
        await again.PrintsAsync("has gone: it closed the connection.");
        Assert.Equal(0, await EndAsync(again));
    }

    [Fact]
    public async Task FramedChat_drops_a_side_that_misses_three_heartbeats_and_keeps_one_that_sends_them()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The server is stopped by a signal.");
        string[] interval = ["--heartbeat", "0.4"];
        using BenchmarkProcess server = Start("FramedChat", ["server", "0", .. interval]);
        string at = AddressIn(await server.PrintsAsync("The room is open at"));
        using BenchmarkProcess guest = Start("FramedChat", ["client", at, "--reconnect", "0.1", .. interval]);
        await guest.PrintsAsync("there are 1.");

        // A client that never sends is sent heartbeats until it is dropped.
        using var silent = new TcpClient();
        await silent.ConnectAsync(IPEndPoint.Parse(at), TestContext.Current.CancellationToken);
        var stream = DecodedStream.Decode(await ReadToEndAsync(silent), largest: 1024);
        await server.PrintsAsync("has gone: three of its heartbeats were missed.");
        Assert.Equal((PackageFaults.None, 0), (stream.Faults, stream.Left));
        Assert.InRange(stream.Heartbeats, 1, int.MaxValue);

        // The guest has said nothing either.
        await guest.PrintsAsync("A guest has gone; there are 1.");
        await BenchmarkProcess.SignalAsync("STOP", server.Id);
        await guest.PrintsAsync($"{at} is lost: three of its heartbeats were missed.");
        await BenchmarkProcess.SignalAsync("CONT", server.Id);
        await guest.PrintsAsync("A guest has come; ");
        Assert.Equal(0, await EndAsync(guest));
    }

    [Fact]
    public async Task A_package_that_cannot_be_ends_its_connection_to_FramedChat_and_no_other()
    {
        using BenchmarkProcess server = Start("FramedChat", "server", "0");
        string at = AddressIn(await server.PrintsAsync("The room is open at"));
        using BenchmarkProcess first = Start("FramedChat", "client", at);
        await first.PrintsAsync("there are 1.");
        using BenchmarkProcess second = Start("FramedChat", "client", at);
        await first.PrintsAsync("there are 2.");
        foreach ((string package, string reason) in ((string, string)[])
        [
            ("0000000801096869", "it sent a package with a wrong check code"),
            ("000000060206", "it sent a package of an unknown type"),
            ("FFFFFFFF0106", "it sent a package of a length that cannot be"),
            ("00000007000700", "it sent a package of a length that cannot be"),
        ])
        {
            using var unsolicited = new TcpClient();
            await unsolicited.ConnectAsync(IPEndPoint.Parse(at), TestContext.Current.CancellationToken);
            await first.PrintsAsync("there are 3.");
            await unsolicited.GetStream().WriteAsync(
                (byte[])[.. DecodedStream.Encode("Hello!"u8), .. Convert.FromHexString(package)], TestContext.Current.CancellationToken);

            // What came before it was said to all.
            await first.PrintsAsync("Hello!");
            await server.PrintsAsync($"has gone: {reason}.");
            var stream = DecodedStream.Decode(await ReadToEndAsync(unsolicited), largest: 1024);
            Assert.Equal((PackageFaults.None, 0), (stream.Faults, stream.Left));
            await first.PrintsAsync("A guest has gone; there are 2.");
        }

        await ExchangeAsync(first, second);
        Assert.Equal((0, 0), (await EndAsync(first), await EndAsync(second)));
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
        using BenchmarkProcess example = Start(name, arguments);
        await example.PrintsAsync($"Usage: {name} server");
        Assert.Equal(2, await EndAsync(example));
    }

    [Fact]
    public void FramedChat_is_built_without_the_harness()
    {
        string description = File.ReadAllText(Path.ChangeExtension(AssemblyOf("FramedChat"), ".deps.json"));
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
        using BenchmarkProcess server = Start("Chat", ["server", "0", .. folder]);
        string at = AddressIn(await server.PrintsAsync("The room is open at"));
        using BenchmarkProcess first = Start("Chat", ["client", at, .. folder]);
        await first.PrintsAsync("there are 1.");
        using BenchmarkProcess second = Start("Chat", ["client", at, .. folder]);
        await first.PrintsAsync("there are 2.");
        second.Type("Hello, everybody!");
        await first.PrintsAsync("Hello, everybody!");
        await second.PrintsAsync("Hello, everybody!");
        Assert.Equal(0, await EndAsync(second));
        await first.PrintsAsync("A guest has gone");

        // When the server closes, the guests end too.
        Assert.Equal(0, await EndAsync(server));
        Assert.Equal(0, await EndAsync(first));
    }

    // Each hears what the other says.
    private static async Task ExchangeAsync(BenchmarkProcess first, BenchmarkProcess second)
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
            await client.GetStream().CopyToAsync(all, TestContext.Current.CancellationToken).WaitAsync(Wait.Deadline);
        }
        catch (IOException)
        {
            // A reset: the server has left bytes unread.
            return all.ToArray();
        }

        return all.ToArray();
    }

    private static string AddressIn(string line) => $"127.0.0.1:{line.Split("127.0.0.1:")[1].Split(';')[0]}";

    private static BenchmarkProcess Start(string name, params string[] arguments) => BenchmarkProcess.StartAssembly(AssemblyOf(name), arguments);

    private static async Task<int> EndAsync(BenchmarkProcess example)
    {
        example.CloseInput();
        return (await example.EndAsync()).ExitCode;
    }

    // Built with the solution, in the same configuration as these tests.
    private static string AssemblyOf(string name)
    {
        var output = new DirectoryInfo(AppContext.BaseDirectory);
        string configuration = output.Parent!.Name;
        DirectoryInfo root = output.Parent.Parent!.Parent!.Parent!;
        return Path.Combine(root.FullName, "Docs", "examples", name, "bin", configuration, output.Name, $"{name}.dll");
    }
}
