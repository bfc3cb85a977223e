using System.Reflection;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

// Lets .NET's sockets on Linux call back on the runtime's own epoll threads instead of those of the thread pool. The runtime reads the variable once, when a
// socket is first used asynchronously (dotnet/runtime, SocketAsyncEngine.Unix.cs).
internal static class InlineCompletions
{
    public const string Variable = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    // False if it is known that the runtime had read the variable before.
    public static bool TryEnable()
    {
        Environment.SetEnvironmentVariable(Variable, "1");

        // The runtime does not report the value that it read, so its own field is read, which also makes the runtime read the variable. The field is missing on
        // Windows, and a later version may not have it.
        return typeof(Socket).Assembly.GetType("System.Net.Sockets.SocketAsyncEngine")
            ?.GetField("InlineSocketCompletionsEnabled", BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public)
            ?.GetValue(null) as bool? ?? OperatingSystem.IsLinux();
    }
}
