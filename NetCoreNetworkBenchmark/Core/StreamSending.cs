namespace NetCoreNetworkBenchmark.Core;

/// <summary>What one call hands to a library over TCP and SSL.</summary>
public enum StreamSending
{
    /// <summary>Each message by a call of its own, at both sides.</summary>
    Message,

    /// <summary>All that the workload sends in answer to one receive call, at both sides.</summary>
    Receive,

    /// <summary>The server as with <see cref="Receive"/>, the clients as with <see cref="Message"/>.</summary>
    Echo,
}

/// <summary>The setting <c>send</c> of every library that offers TCP or SSL.</summary>
public static class StreamSendSetting
{
    /// <summary>The setting; its values are the names of <see cref="StreamSending"/> in lower case.</summary>
    public static LibrarySetting Setting { get; } = new(
        "send",
        ["message", "receive", "echo"],
        Default: "message",
        "what one call hands to the library: each message by itself, all that one receive call brought, or the server the latter and the clients the former")
    {
        Tuned = "receive",
        Protocols = [Protocol.Tcp, Protocol.Ssl],
    };

    /// <summary>Determines how one side of a run sends.</summary>
    /// <param name="plan">The plan as the adapter of that side reads it.</param>
    /// <param name="isServer">Whether the side is the server.</param>
    /// <returns>True for a call for each message; false for one call for all that one receive call brought.</returns>
    public static bool SendsEachMessage(RunPlan plan, bool isServer)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return Enum.Parse<StreamSending>(plan.SettingOf(Setting), ignoreCase: true) switch
        {
            StreamSending.Message => true,
            StreamSending.Receive => false,
            _ => !isServer,
        };
    }
}
