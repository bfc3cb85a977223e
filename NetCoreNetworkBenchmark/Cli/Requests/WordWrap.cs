using System.Text;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>Lines that end between two words.</summary>
internal static class WordWrap
{
    /// <summary>Returns the lines of a text. A word that is longer than a line has one of its own.</summary>
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
