using NetCoreNetworkBenchmark.Libraries.Epoll.Connections;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.Connections;

public sealed class HttpAnswerTests
{
    private const string Head = "HTTP/1.1 200 OK\r\nServer: x\r\ncontent-length:  5\r\nConnection: close\r\n\r\n";

    public static TheoryData<int> Chunks() => [1, 2, 7, 40, 1_000];

    [Theory, MemberData(nameof(Chunks))]
    public void An_answer_is_complete_with_the_last_byte_that_its_head_announces(int chunk)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(Head + "hello");
        var answer = new HttpAnswer();
        for (int time = 0; time < 2; time++)
        {
            answer.Clear();
            int left = bytes.Length;
            foreach (byte[] received in bytes.Chunk(chunk))
            {
                Assert.False(answer.IsComplete);
                answer.Add(received);
                left -= received.Length;
                Assert.Equal(left == 0, answer.IsComplete);
            }

            Assert.Null(answer.Fault);
        }
    }

    [Fact]
    public void An_answer_without_a_length_is_complete_at_the_end_of_the_connection()
    {
        var answer = new HttpAnswer();
        answer.Add("HTTP/1.0 200 OK\r\n\r\nhello"u8);
        Assert.False(answer.IsComplete);
        answer.End();
        Assert.Equal((true, null), (answer.IsComplete, answer.Fault));
    }

    [Fact]
    public void An_answer_of_any_status_is_complete_if_any_is_accepted()
    {
        var answer = new HttpAnswer(acceptsAnyStatus: true);
        answer.Add("HTTP/1.1 404 Not Found\r\nContent-Length: 1\r\n\r\nx"u8);
        Assert.Equal((true, null), (answer.IsComplete, answer.Fault));
        answer.Clear();
        answer.Add("SSH-2.0-OpenSSH\r\n\r\n"u8);
        Assert.NotNull(answer.Fault);
    }

    [Theory]
    [InlineData("HTTP/1.1 503 Busy\r\n\r\n", "the server answered 'HTTP/1.1 503 Busy'")]
    [InlineData("SSH-2.0-OpenSSH\r\n\r\n", "the server answered 'SSH-2.0-OpenSSH'")]
    [InlineData("HTTP/1.\r\n\r\n", "the server answered 'HTTP/1.'")]
    [InlineData(Head + "hello and more", "the server sent more than it announced")]
    public void An_answer_that_is_not_one_has_a_fault(string text, string fault)
    {
        var answer = new HttpAnswer();
        answer.Add(Encoding.ASCII.GetBytes(text));
        Assert.Equal((false, fault), (answer.IsComplete, answer.Fault));
    }

    [Theory, InlineData(""), InlineData("HTTP/1.1 200"), InlineData(Head + "hell")]
    public void An_answer_that_is_cut_has_a_fault(string text)
    {
        var answer = new HttpAnswer();
        answer.Add(Encoding.ASCII.GetBytes(text));
        answer.End();
        Assert.Equal((false, "the server closed the connection before the end of its answer"), (answer.IsComplete, answer.Fault));
    }

    [Fact]
    public void A_head_without_an_end_is_a_fault()
    {
        var answer = new HttpAnswer();
        answer.Add(new byte[100_000]);
        Assert.Equal("the server's answer has a head without an end", answer.Fault);
    }
}
