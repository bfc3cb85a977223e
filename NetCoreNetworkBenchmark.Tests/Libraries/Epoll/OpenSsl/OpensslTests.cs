using NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.OpenSsl;

public sealed class OpensslTests : InTemporaryFolder
{
    [Fact]
    public void FindProblem_names_the_package_when_OpenSSL_is_missing() => Assert.Equal(
        "libnothing.so.3 (OpenSSL 3) was not found on this machine; install it with 'apt-get install libssl3', or your system's package of OpenSSL 3",
        OpenSslLibrary.FindProblem([Path.GetTempPath()], "libnothing.so.3"));

    [Fact]
    public void A_library_that_lies_in_a_folder_is_not_loaded_to_find_it()
    {
        Write("libempty.so", string.Empty);
        Assert.Null(OpenSslLibrary.FindProblem([Folder.FullName], "libempty.so"));
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
