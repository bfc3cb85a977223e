namespace NetCoreNetworkBenchmark.Reports.Renderers;

/// <summary>
/// Leaves out the points of a line that nobody would miss (Ramer 1972, An Iterative Procedure for the Polygonal Approximation of Plane Curves, Computer
/// Graphics and Image Processing 1; Douglas &amp; Peucker 1973).
/// </summary>
internal static class LineSimplifier
{
    // In units of a plot, which are about as large as a pixel.
    private const double Tolerance = 0.5;

    /// <summary>Returns the points from which the line differs by half a pixel at most.</summary>
    public static IReadOnlyList<(double X, double Y)> Simplify(IReadOnlyList<(double X, double Y)> points)
    {
        if (points.Count < 3)
        {
            return points;
        }

        var isKept = new bool[points.Count];
        isKept[0] = isKept[^1] = true;
        var open = new Stack<(int First, int Last)>([(0, points.Count - 1)]);
        while (open.TryPop(out (int First, int Last) part))
        {
            int farthest = Farthest(points, part.First, part.Last);
            if (farthest > 0)
            {
                isKept[farthest] = true;
                open.Push((part.First, farthest));
                open.Push((farthest, part.Last));
            }
        }

        return [.. points.Where((_, index) => isKept[index])];
    }

    // The point that is farthest from the line between two others; 0 if all are near it.
    private static int Farthest(IReadOnlyList<(double X, double Y)> points, int first, int last)
    {
        (double width, double height) = (points[last].X - points[first].X, points[last].Y - points[first].Y);
        double length = Math.Sqrt((width * width) + (height * height));
        (int farthest, double most) = (0, Tolerance);
        for (int index = first + 1; index < last; index++)
        {
            (double x, double y) = (points[index].X - points[first].X, points[index].Y - points[first].Y);
            double distance = length == 0 ? Math.Sqrt((x * x) + (y * y)) : Math.Abs((x * height) - (y * width)) / length;
            (farthest, most) = distance > most ? (index, distance) : (farthest, most);
        }

        return farthest;
    }
}
