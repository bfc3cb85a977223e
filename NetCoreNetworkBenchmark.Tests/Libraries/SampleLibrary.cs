namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>A library that does not exist, for tests of what is done with its description.</summary>
internal static class SampleLibrary
{
    public const string Name = "Sample";

    public static LibraryInfo Info { get; } = new()
    {
        Name = Name,
        Version = "1.2.3",
        Protocols = [Protocol.Udp],
        Transmissions =
        [
            new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram),
            new TransmissionInfo(Transmission.Reliable, OverheadBytes: 0, RunPlan.LargestDatagram),
        ],
        DescriptorsPerClient = 0,
    };
}
