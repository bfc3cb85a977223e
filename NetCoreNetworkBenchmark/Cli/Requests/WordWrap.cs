using System.Text;

namespace NetCoreNetworkBenchmark.Cli.Requests;

internal static class WordWrap
{
    public static IEnumerable<string> LinesOf(IEnumerable<string> words, int width)
    {
        var line = new StringBuilder();
        foreach (string word in words)
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > width)
            {
                yield return line.ToString();
                line.Clear();
            }

            line.Append(line.Length > 0 ? " " : string.Empty).Append(word);
        }

        yield return line.ToString();
    }
}
