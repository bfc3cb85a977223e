namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The error that the system has no descriptor (EMFILE, ENFILE) or no memory (ENOBUFS) for one more connection.</summary>
internal static class ResourceShortage
{
    public static bool Is(SocketException exception) => exception.SocketErrorCode is SocketError.TooManyOpenSockets or SocketError.NoBufferSpaceAvailable;

    public static string Remark(SocketException exception) =>
        $"The relay could not accept a client for a time ({exception.Message.TrimEnd('.')}). 'ulimit -n' raises the limit of open descriptors.";
}
