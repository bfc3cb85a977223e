namespace NetCoreNetworkBenchmark.Tests.Options;

public sealed class PayloadFileTests : InTemporaryFolder
{
    private static readonly string s_message = Convert.ToBase64String(new byte[20]);

    private string PathOfFile => PathOf("chat.txt");

    [Fact]
    public void Read_returns_the_messages_with_their_sizes_and_the_digest_of_the_file()
    {
        byte[][] messages = [new byte[16], [.. Enumerable.Repeat((byte)7, 41)]];
        Payload payload = Read([.. messages.Select(Convert.ToBase64String)]);
        Assert.Equal(messages, payload.Content);
        Assert.Equal(
            (PathOfFile, 2, 28.5, Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(PathOfFile)))),
            (payload.File, payload.Messages, payload.MeanSize, payload.Sha256));
        RunPlan plan = payload.AddTo(new RunPlan { Library = "none" });
        Assert.Equal((16, 41, 28.5), (plan.SmallestMessage, plan.MessageSize, plan.MeanMessageSize));
    }

    [Fact]
    public void Messages_of_one_size_are_no_range() => Assert.Null(Read(s_message, s_message).AddTo(new RunPlan { Library = "none" }).SmallestMessage);

    [Fact]
    public void Read_refuses_a_file_that_is_missing() => Assert.Equal($"--payload: '{PathOfFile}' does not exist.", Refusal());

    [Fact]
    public void Read_refuses_a_file_without_messages()
    {
        File.WriteAllBytes(PathOfFile, []);
        Assert.Equal($"--payload: '{PathOfFile}' cannot be read: It is empty, or no regular file.", Refusal());
    }

    [Theory, InlineData(76), InlineData(64)]
    public void Read_refuses_a_message_that_is_wrapped(int width)
    {
        string[] wrapped = [.. Convert.ToBase64String(new byte[1000]).Chunk(width).Select(line => new string(line))];
        Refuses($"--payload: '{PathOfFile}' is wrapped after {width} characters. Write each message in one line, such as with base64 -w0.", wrapped);
        Assert.Equal(wrapped.Length - 1, Read(wrapped[..^1]).Messages);
    }

    [Fact]
    public async Task Read_refuses_a_pipe_and_a_device_without_opening_it()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It has neither.");
        await CommandRun.RunAsync(new ProcessStartInfo("mkfifo", [PathOfFile]), input: null, TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        string link = PathOf("link");
        File.CreateSymbolicLink(link, PathOfFile);
        foreach (string path in (string[])[PathOfFile, link, "/dev/zero"])
        {
            Task<BenchmarkException> refusal = Task.Run(() => Assert.Throws<BenchmarkException>(() => PayloadFile.Read("--payload", path)));
            BenchmarkException refused = await refusal.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
            Assert.Equal($"--payload: '{path}' cannot be read: It is empty, or no regular file.", refused.Message);
        }
    }

    [Fact]
    public void Read_names_the_line_that_is_not_base64() => Refuses(
        $"--payload: line 2 of '{PathOfFile}' is not base64. Encode each message, as base64 -w0 does.", s_message, "not base64!");

    [Fact]
    public void Read_names_the_line_whose_message_is_smaller_than_a_tag() => Refuses(
        $"--payload: line 1 of '{PathOfFile}' has a message of 15 bytes. At least 16 are required, those of its tag.",
        Convert.ToBase64String(new byte[15]));

    [Fact]
    public void Read_refuses_a_file_that_is_too_large_for_the_other_processes()
    {
        File.WriteAllText(PathOfFile, new string('A', (1024 * 1024) + 1));
        Assert.Equal($"--payload: '{PathOfFile}' has 1,048,577 bytes. At most 1,048,576 are supported.", Refusal());
    }

    [Fact]
    public void The_command_of_a_result_names_the_file_in_place_of_size_and_content_of_the_messages()
    {
        RunPlan plan = CommandLineTests.Read($"-l Sockets --payload {Write("chat.txt", s_message)}").Plan;
        string command = PlanArguments.CommandOf(plan, LibraryUnderTest.Create("Sockets").Info).Split(' ', 2)[1];
        command.AssertHas($"--payload {PathOfFile}");
        command.AssertHasNo("--size", "--messageload");
        Assert.Equal(plan, CommandLineTests.Read(command).Plan);
        Assert.Equal(
            "--payload cannot be combined with --size: size and content are those of the recorded messages.",
            Assert.Throws<BenchmarkException>(() => CommandLineTests.Read($"--payload {PathOfFile} -s 32")).Message);
    }

    private Payload Read(params string[] lines)
    {
        File.WriteAllLines(PathOfFile, lines);
        return PayloadFile.Read("--payload", PathOfFile);
    }

    private void Refuses(string sentence, params string[] lines)
    {
        File.WriteAllLines(PathOfFile, lines);
        Assert.Equal(sentence, Refusal());
    }

    private string Refusal()
    {
        BenchmarkException refused = Assert.Throws<BenchmarkException>(() => PayloadFile.Read("--payload", PathOfFile));
        Assert.True(refused.IsBadInput);
        return refused.Message;
    }
}
