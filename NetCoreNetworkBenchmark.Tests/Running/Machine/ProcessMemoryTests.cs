using System.Runtime.CompilerServices;

namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

public sealed class ProcessMemoryTests
{
    private const int Kept = 256 * 1024 * 1024;

    [Fact]
    public void Read_sees_what_is_kept_and_not_what_is_garbage()
    {
        ProcessMemory before = ProcessMemory.Read();
        ProcessMemory with = ReadWhileKept();
        ProcessMemory without = ProcessMemory.Read();

        // Other tests allocate at the same time, so half of it is a margin for them.
        Assert.InRange(with.ManagedBytes - before.ManagedBytes, Kept / 2, long.MaxValue);
        Assert.InRange(with.ResidentBytes - before.ResidentBytes, Kept / 2, long.MaxValue);
        Assert.InRange(with.ManagedBytes - without.ManagedBytes, Kept / 2, long.MaxValue);
        Assert.InRange(with.ResidentBytes - without.ResidentBytes, Kept / 2, long.MaxValue);
    }

    // In a separate method, so that nothing references the memory when it has returned.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ProcessMemory ReadWhileKept()
    {
        byte[] kept = GC.AllocateUninitializedArray<byte>(Kept);
        kept.AsSpan().Fill(1);
        ProcessMemory read = ProcessMemory.Read();
        GC.KeepAlive(kept);
        return read;
    }
}
