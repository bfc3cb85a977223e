using System.Runtime.InteropServices;
using System.Text;

namespace NetCoreNetworkBenchmark.Workloads.Handshakes;

/// <summary>Key exchanges on the curves of RFC 7748 by OpenSSL's <c>openssl/evp.h</c>, under the names of that header.</summary>
internal static unsafe partial class EvpExchange
{
    private const string Crypto = "libcrypto.so.3";

    // Makes a key and derives a secret. Null if OpenSSL 3 is not here or does not know the group.
    public static Action? Find(string group)
    {
        if (!NativeLibrary.TryLoad(Crypto, typeof(EvpExchange).Assembly, null, out _))
        {
            return null;
        }

        nint client = Generate(group);
        return client == 0 ? null : () => Derive(group, client);
    }

    private static nint Generate(string group)
    {
        nint key = 0;
        fixed (byte* name = Encoding.ASCII.GetBytes(group + '\0'))
        {
            nint context = EVP_PKEY_CTX_new_from_name(0, name, null);
            bool isMade = context != 0 && EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_generate(context, &key) == 1;
            EVP_PKEY_CTX_free(context);
            return isMade ? key : 0;
        }
    }

    private static void Derive(string group, nint client)
    {
        nint server = Generate(group);
        nint context = EVP_PKEY_CTX_new_from_pkey(0, server, null);
        byte* secret = stackalloc byte[64];
        nuint length = 64;
        bool isDerived = EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, client) == 1
            && EVP_PKEY_derive(context, secret, &length) == 1;
        EVP_PKEY_CTX_free(context);
        EVP_PKEY_free(server);
        if (!isDerived)
        {
            throw new InvalidOperationException($"OpenSSL did not derive a secret with {group}.");
        }
    }

    [LibraryImport(Crypto)] private static partial nint EVP_PKEY_CTX_new_from_name(nint libctx, byte* name, byte* propquery);
    [LibraryImport(Crypto)] private static partial nint EVP_PKEY_CTX_new_from_pkey(nint libctx, nint pkey, byte* propquery);
    [LibraryImport(Crypto)] private static partial void EVP_PKEY_CTX_free(nint ctx);
    [LibraryImport(Crypto)] private static partial int EVP_PKEY_keygen_init(nint ctx);
    [LibraryImport(Crypto)] private static partial int EVP_PKEY_generate(nint ctx, nint* ppkey);
    [LibraryImport(Crypto)] private static partial int EVP_PKEY_derive_init(nint ctx);
    [LibraryImport(Crypto)] private static partial int EVP_PKEY_derive_set_peer(nint ctx, nint peer);
    [LibraryImport(Crypto)] private static partial int EVP_PKEY_derive(nint ctx, byte* key, nuint* keylen);
    [LibraryImport(Crypto)] private static partial void EVP_PKEY_free(nint pkey);
}
