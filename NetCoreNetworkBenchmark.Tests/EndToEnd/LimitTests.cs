namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The C programs of <c>build/limit</c>, with which the harness is compared.</summary>
public sealed partial class LimitTests(CompiledPrograms programs) : IClassFixture<CompiledPrograms>
{
    /// <summary>The program with its libraries, its mode, clients, messages and their size.</summary>
    public static TheoryData<string, string?, int, int, int> Loads
    {
        get
        {
            // The messages in flight of UDP always fit into the server's socket buffer, even if an ordinary user runs this and the server cannot read in time.
            TheoryData<string, string?, int, int, int> loads = new()
            {
                { "udp.c", "call", 1, 1, 32 }, { "udp.c", "call", 5, 20, 32 }, { "udp.c", "mmsg", 1, 1, 32 }, { "udp.c", "mmsg", 5, 80, 32 },
                { "udp.c", "gso", 1, 1, 32 }, { "udp.c", "gso", 5, 200, 32 }, { "udp.c", "gso", 2, 70, 1400 },
                { "enet.c enet", null, 1, 1, 32 }, { "enet.c enet", null, 20, 50, 32 }, { "enet.c enet", null, 2, 2, 3000 },
            };
            foreach (string program in (string[])["tcp.c", "tls.c ssl crypto"])
            {
                loads.AddRange(
                    (program, "message", 1, 1, 32), (program, "message", 20, 50, 32), (program, "message", 3, 2000, 32), (program, "message", 2, 70, 60000),
                    (program, "receive", 1, 1, 32), (program, "receive", 20, 50, 32), (program, "receive", 3, 20000, 32), (program, "receive", 2, 70, 60000));
            }

            return loads;
        }
    }

    [Theory, MemberData(nameof(Loads))]
    public void Program_makes_round_trips_and_loses_none(string program, string? mode, int clients, int messages, int size)
    {
        string[] words = program.Split(' ');
        string output = CCompiler.Run(
            programs.Compile(words[0], words[1..]), [.. mode is null ? [] : (string[])[mode], Text(clients), Text(messages), "0.1", Text(size)]);
        Match line = Line().Match(output);
        Assert.True(line.Success, $"It printed '{output}'.");
        Assert.True(long.Parse(line.Groups["rate"].ValueSpan, CultureInfo.InvariantCulture) > 0, output);
        Assert.Equal("0", line.Groups["lost"].Value);
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    [GeneratedRegex("^round_trips_per_second (?<rate>[0-9]+) lost (?<lost>[0-9]+)\n$")]
    private static partial Regex Line();
}

/// <summary>The C programs of <c>build/limit</c>, each compiled at its first use.</summary>
public sealed class CompiledPrograms : InTemporaryFolder
{
    private readonly Dictionary<string, string> _programs = [];

    public string Compile(string file, params string[] libraries)
    {
        if (!_programs.TryGetValue(file, out string? program))
        {
            string source = Path.Combine(AppContext.BaseDirectory, "limit", file);
            program = CCompiler.Compile(source, Folder.CreateSubdirectory(file), libraries);
            _programs.Add(file, program);
        }

        return program;
    }
}
