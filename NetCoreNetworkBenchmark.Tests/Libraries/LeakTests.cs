namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>Counts the resources of the whole process, so no other test may run at the same time.</summary>
[CollectionDefinition(nameof(LeakTests), DisableParallelization = true)]
[Collection(nameof(LeakTests))]
[Trait("Category", "Leak")]
public sealed class LeakTests
{
    public static IEnumerable<TheoryDataRow<string, Protocol>> Transports() => LibraryUnderTest.Transports();

    [Theory, MemberData(nameof(Transports))]
    public async Task Disposing_leaves_no_thread_and_no_socket(string name, Protocol protocol)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Threads and sockets are counted in Linux's /proc.");
        INetworkBenchmark library = LibraryUnderTest.Create(name);

        // The first session starts threads that the process keeps: the thread pool, the runtime's own sockets thread.
        await ConnectAndCloseAsync(library, protocol);
        await SettlesAsync(0, () => ThreadsOf(name), "threads of the library");
        int sockets = Sockets();
        for (int session = 0; session < 3; session++)
        {
            await ConnectAndCloseAsync(library, protocol);
        }

        await SettlesAsync(0, () => ThreadsOf(name), "threads of the library");
        await SettlesAsync(sockets, Sockets, "open sockets");
    }

    /// <summary>The open descriptors of the process, except for the assemblies that the runtime loads when they are first used.</summary>
    internal static int Descriptors() => Targets().Count(target => !target.EndsWith(".dll", StringComparison.Ordinal));

    /// <summary>Waits until a count has fallen to the given one. The kernel still lists a thread for a moment after it has ended and been joined.</summary>
    internal static Task SettlesAsync(int expected, Func<int> count, string what) =>
        Wait.UntilAsync(() => count() <= expected, () => $"{count()} {what} instead of {expected}");

    private static async Task ConnectAndCloseAsync(INetworkBenchmark library, Protocol protocol)
    {
        await using var session = new Session(library, protocol, clients: 20, messageSize: 32);
        await session.StartAsync();
    }

    internal static int Sockets() => Targets().Count(target => target.StartsWith("socket:", StringComparison.Ordinal));

    // A descriptor that was closed since the folder was read has no target.
    private static IEnumerable<string> Targets() =>
        Directory.GetFiles("/proc/self/fd").Select(descriptor => new FileInfo(descriptor).LinkTarget).OfType<string>();

    // Adapters name their threads after the library; the kernel keeps 15 characters.
    private static int ThreadsOf(string library) => Directory.GetDirectories("/proc/self/task")
        .Count(thread => NameOf(thread).StartsWith(library[..Math.Min(15, library.Length)], StringComparison.Ordinal));

    private static string NameOf(string thread)
    {
        try
        {
            return File.ReadAllText(Path.Combine(thread, "comm"));
        }
        catch (IOException)
        {
            // The thread ended between the listing and the reading.
            return string.Empty;
        }
    }
}
