using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>Memory that the kernel may be given: it never moves, and goes when nobody holds the array any more.</summary>
internal static class PinnedArray
{
    /// <summary>Reserves zeroed memory.</summary>
    /// <param name="count">Elements.</param>
    /// <param name="pointer">The first element; valid as long as the array is held.</param>
    /// <returns>The array.</returns>
    public static unsafe T[] Of<T>(int count, out T* pointer)
        where T : unmanaged
    {
        T[] array = GC.AllocateArray<T>(count, pinned: true);
        pointer = (T*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(array));
        return array;
    }
}
