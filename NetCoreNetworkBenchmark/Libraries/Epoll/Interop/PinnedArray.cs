using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

/// <summary>Memory that may be passed to the kernel. It never moves, and is freed when the array is no longer referenced.</summary>
internal static class PinnedArray
{
    public static unsafe T[] Of<T>(int count, out T* pointer)
        where T : unmanaged
    {
        T[] array = GC.AllocateArray<T>(count, pinned: true);
        pointer = (T*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(array));
        return array;
    }
}
