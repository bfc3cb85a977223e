using NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.OpenSsl;

/// <summary>Compares the declarations for OpenSSL's headers with the values that the C compiler reports, and tests the behavior without OpenSSL.</summary>
public sealed class OpensslTests
{
    private static readonly string[] s_headers = ["openssl/ssl.h", "openssl/x509.h", "openssl/err.h"];

    [Theory, InlineData(typeof(OpensslSsl)), InlineData(typeof(OpensslX509)), InlineData(typeof(OpensslErr))]
    public void Constants_have_the_values_of_the_header(Type type)
    {
        (string Name, long Value)[] constants = [.. type.GetFields()
            .Where(field => field.IsLiteral)
            .Select(field => (field.Name, Convert.ToInt64(field.GetRawConstantValue(), null)))];
        Assert.NotEmpty(constants);
        Assert.Equal(constants.Select(constant => constant.Value), CCompiler.Evaluate(s_headers, [.. constants.Select(constant => constant.Name)]));
    }

    [Theory]
    [InlineData("SSL_CTX_set_mode(c, 5)", "SSL_CTX_ctrl(c, SSL_CTRL_MODE, 5, 0)")]
    [InlineData("SSL_CTX_set_read_ahead(c, 1)", "SSL_CTX_ctrl(c, SSL_CTRL_SET_READ_AHEAD, 1, 0)")]
    [InlineData("SSL_CTX_set_min_proto_version(c, 9)", "SSL_CTX_ctrl(c, SSL_CTRL_SET_MIN_PROTO_VERSION, 9, 0)")]
    [InlineData("SSL_CTX_add1_chain_cert(c, 0)", "SSL_CTX_ctrl(c, SSL_CTRL_CHAIN_CERT, 1, 0)")]
    [InlineData("SSL_set_tlsext_host_name(s, 0)", "SSL_ctrl(s, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, 0)")]
    [InlineData("SSL_get_negotiated_group(s)", "SSL_ctrl(s, SSL_CTRL_GET_NEGOTIATED_GROUP, 0, 0)")]
    public void A_macro_is_the_call_that_is_made_instead(string macro, string call)
    {
        // Both are replaced by a number that consists of the command and its argument.
        string[] stand =
        [
            "openssl/ssl.h>\n#define SSL_CTX_ctrl(c, command, larg, parg) ((command) * 1000L + (larg))\n" +
            "#define SSL_ctrl(s, command, larg, parg) ((command) * 1000L + (larg))\n#include <stddef.h",
        ];
        IReadOnlyList<long> values = CCompiler.Evaluate(stand, [macro, call]);
        Assert.Equal(values[1], values[0]);
    }

    [Fact]
    public void FindProblem_names_the_package_when_OpenSSL_is_missing() => Assert.Equal(
        "libnothing.so.3 (OpenSSL 3) was not found on this machine; install it with 'apt-get install libssl3', or your system's package of OpenSSL 3",
        OpenSslLibrary.FindProblem([Path.GetTempPath()], "libnothing.so.3"));

    [Fact]
    public void A_library_that_lies_in_a_folder_is_not_loaded_to_find_it()
    {
        string file = Path.GetTempFileName();
        Assert.Null(OpenSslLibrary.FindProblem([Path.GetDirectoryName(file)!], Path.GetFileName(file)));
        File.Delete(file);
    }

    [Fact]
    public void The_loader_is_asked_where_the_folders_do_not_have_it() => Assert.Null(OpenSslLibrary.FindProblem([], "libc.so.6"));

    [Fact]
    public void Describe_offers_no_Ssl_and_names_the_reason_without_OpenSSL()
    {
        LibraryInfo info = new EpollBenchmark().Describe("it is not here");
        Assert.Equal([Protocol.Udp, Protocol.Tcp], info.Protocols);
        Assert.Equal([Protocol.Udp, Protocol.Tcp], info.ServerPushTransports);
        Assert.Equal(new UnavailableProtocol(Protocol.Ssl, "it is not here"), Assert.Single(info.UnavailableProtocols));
    }
}
