using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace NetCoreNetworkBenchmark.Running.Machine.Facts;

/// <summary>Whether an assembly was compiled without optimisation. It is not loaded.</summary>
internal static class DebugBuild
{
    public static bool Is(string file)
    {
        try
        {
            using FileStream stream = File.OpenRead(file);
            using var image = new PEReader(stream);
            return image.HasMetadata && image.GetMetadataReader() is { IsAssembly: true } reader
                && reader.GetAssemblyDefinition().GetCustomAttributes().Any(handle => DisablesOptimisation(reader, reader.GetCustomAttribute(handle)));
        }
        catch (Exception exception) when (exception is BadImageFormatException or IOException or UnauthorizedAccessException)
        {
            // A native library, or a file that the run reports.
            return false;
        }
    }

    private static bool DisablesOptimisation(MetadataReader reader, CustomAttribute attribute)
    {
        if (attribute.Constructor.Kind != HandleKind.MemberReference
            || reader.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent is not { Kind: HandleKind.TypeReference } parent
            || reader.GetString(reader.GetTypeReference((TypeReferenceHandle)parent).Name) != nameof(DebuggableAttribute))
        {
            return false;
        }

        // After a prolog of two bytes, the modes, or two Booleans, of which the second is the bit of the same mode (ECMA-335, II.23.3).
        BlobReader value = reader.GetBlobReader(attribute.Value);
        value.ReadUInt16();
        return ((DebuggableAttribute.DebuggingModes)value.ReadInt32()).HasFlag(DebuggableAttribute.DebuggingModes.DisableOptimizations);
    }
}
