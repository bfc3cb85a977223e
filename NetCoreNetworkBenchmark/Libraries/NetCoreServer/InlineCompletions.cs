using System.Net.Sockets;
using System.Reflection;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>
/// Lets .NET's sockets on Linux call back on the runtime's own epoll threads instead of the thread pool's: an environment variable that the
/// runtime reads once, when a socket is first used asynchronously (dotnet/runtime, SocketAsyncEngine.Unix.cs).
/// </summary>
internal static class InlineCompletions
{
    public const string Variable = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    /// <summary>Asks for it.</summary>
    /// <returns>False where it is known that the runtime does otherwise, because it had read the variable before.</returns>
    public static bool TryEnable()
    {
        Environment.SetEnvironmentVariable(Variable, "1");

        // The runtime tells nobody what it read, so its own field is looked at, which also makes it read. Not on Windows, nor where a later
        // version has no such field.
        return typeof(Socket).Assembly.GetType("System.Net.Sockets.SocketAsyncEngine")
            ?.GetField("InlineSocketCompletionsEnabled", BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public)
            ?.GetValue(null) as bool? ?? OperatingSystem.IsLinux();
    }
}
