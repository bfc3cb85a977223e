using System.Net.Sockets;
using System.Reflection;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>
/// Lets .NET's sockets on Linux call back on the runtime's own epoll threads instead of those of the thread pool. This is enabled by an environment variable
/// that the runtime reads once, when a socket is first used asynchronously (dotnet/runtime, SocketAsyncEngine.Unix.cs).
/// </summary>
internal static class InlineCompletions
{
    public const string Variable = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    /// <summary>Requests inline completions.</summary>
    /// <returns>False if it is known that the runtime does not use them, because it had read the variable before.</returns>
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
