using System.Globalization;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>An axis of a plot: the values at its ends, and those that have a mark.</summary>
internal sealed class PlotAxis
{
    // A result that was changed by hand can have any number. Beyond this one, nothing could be told apart in a plot.
    private const double Largest = 1e15;
    private const int MostTicks = 5;
    private const double MostDecadesInSteps = 2.2;
    private const double LeastDecades = 0.2;
    private const double LowestOfLogarithmic = 1e-3;

    private readonly double _low;
    private readonly double _high;
    private readonly Func<double, double> _scale;

    private PlotAxis(double low, double high, Func<double, double> scale, IEnumerable<AxisTick> ticks)
    {
        (_low, _high, _scale) = (low, high, scale);
        Ticks = [.. ticks.Where(tick => tick.Value >= low && tick.Value <= high)];
        Lines = [.. Ticks.Select(tick => tick.Value)];
    }

    /// <summary>The marked values.</summary>
    public IReadOnlyList<AxisTick> Ticks { get; }

    /// <summary>The values that have a line through the plot.</summary>
    public IReadOnlyList<double> Lines { get; private init; }

    /// <summary>Creates an axis from 0 to a round number, with equal steps.</summary>
    /// <param name="values">The values that must be on it.</param>
    /// <param name="label">Returns the label of a value.</param>
    public static PlotAxis Linear(IEnumerable<double> values, Func<double, string> label)
    {
        double[] finite = Finite(values);
        double low = Math.Min(0, finite.DefaultIfEmpty(0).Min());
        double high = Math.Max(0, finite.DefaultIfEmpty(0).Max());
        high = high > low ? high : low + 1;
        double step = StepOf((high - low) / MostTicks);
        double first = Math.Floor(low / step) * step;
        int count = (int)Math.Ceiling((high - first) / step);
        return new PlotAxis(first, first + (count * step), value => value, TicksOf(first, step, count, label));
    }

    /// <summary>Creates an axis with the whole numbers from 1 on, with half a step of space at both ends.</summary>
    /// <param name="count">The largest number.</param>
    public static PlotAxis Numbers(int count)
    {
        int step = Math.Max(1, (int)StepOf(count / (2.0 * MostTicks)));
        IEnumerable<int> numbers = Enumerable.Range(1, count).Where(number => count <= 2 * MostTicks || number % step == 0);
        return new PlotAxis(0.5, count + 0.5, value => value, numbers.Select(number => new AxisTick(number, number.ToString(CultureInfo.InvariantCulture))));
    }

    /// <summary>Creates an axis of groups, the first at 1, with a line on each side of every group.</summary>
    /// <param name="names">The names of the groups.</param>
    public static PlotAxis Groups(IReadOnlyList<string> names) => new(
        0.5, names.Count + 0.5, value => value, names.Select((name, index) => new AxisTick(index + 1, name)))
    {
        Lines = [.. Enumerable.Range(0, names.Count + 1).Select(index => index + 0.5)],
    };

    /// <summary>Creates an axis around values, with equal steps. It need not begin at 0.</summary>
    /// <param name="values">The values that must be on it.</param>
    /// <param name="leastShare">The least length of the axis, as a share of the largest value, so that noise looks small.</param>
    /// <param name="label">Returns the label of a value.</param>
    public static PlotAxis Around(IEnumerable<double> values, double leastShare, Func<double, string> label)
    {
        double[] finite = Finite(values);
        double high = finite.Where(value => value > 0).DefaultIfEmpty(1).Max();
        double low = Math.Max(0, Math.Min(finite.DefaultIfEmpty(0).Min(), high * (1 - leastShare)));
        double step = StepOf((high - low) / MostTicks);
        double first = Math.Floor(low / step) * step;
        int count = (int)Math.Ceiling((high - first) / step);
        return new PlotAxis(first - (step * 0.2), first + ((count + 0.2) * step), value => value, TicksOf(first, step, count, label));
    }

    /// <summary>Creates a logarithmic axis.</summary>
    /// <param name="values">The values that must be on it.</param>
    /// <param name="label">Returns the label of a value.</param>
    public static PlotAxis Logarithmic(IEnumerable<double> values, Func<double, string> label)
    {
        double[] finite = [.. Finite(values).Where(value => value > 0).Select(value => Math.Max(value, LowestOfLogarithmic))];
        double low = finite.DefaultIfEmpty(1).Min();
        double high = finite.DefaultIfEmpty(1).Max();
        double missing = Math.Pow(10, Math.Max(0, LeastDecades - Math.Log10(high / low)) / 2);
        (low, high) = (low / missing, high * missing);
        double decades = Math.Log10(high / low);
        double[] steps = decades > MostDecadesInSteps ? [1] : decades > 1 ? [1, 2, 5] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
        int every = Math.Max(1, (int)Math.Ceiling(decades / (MostTicks + 1)));

        // A little more space, so that no value is on the frame.
        double margin = Math.Pow(10, decades * 0.04);
        (low, high) = (low / margin, high * margin);
        IEnumerable<AxisTick> ticks =
            from decade in Enumerable.Range((int)Math.Floor(Math.Log10(low)), (int)Math.Ceiling(decades) + 3)
            where decade % every == 0
            from step in steps
            let value = step * Math.Pow(10, decade)
            select new AxisTick(value, label(value));
        return new PlotAxis(low, high, value => Math.Log10(Math.Max(value, double.Epsilon)), ticks);
    }

    /// <summary>Creates the axis of percentiles, whose values are the logarithms of 1/(1-p).</summary>
    /// <param name="highest">The value of the highest percentile.</param>
    public static PlotAxis Percentiles(double highest)
    {
        double[] marked = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999, 99.99999, 99.999999];
        return new PlotAxis(0, Math.Clamp(highest, 1, Largest), value => value, marked.Select(
            percentile => new AxisTick(LatencyCurve.PositionOf(percentile / 100), percentile.ToString("0.######", CultureInfo.InvariantCulture))));
    }

    /// <summary>Returns the place of a value on the axis: 0 at its low end, and 1 at its high end. Values beyond an end are placed there.</summary>
    public double PlaceOf(double value)
    {
        double low = _scale(_low);
        double place = (_scale(value) - low) / (_scale(_high) - low);
        return double.IsNaN(place) ? 0 : Math.Clamp(place, 0, 1);
    }

    private static double[] Finite(IEnumerable<double> values) => [.. values.Where(double.IsFinite).Select(value => Math.Clamp(value, -Largest, Largest))];

    private static IEnumerable<AxisTick> TicksOf(double first, double step, int count, Func<double, string> label) =>
        Enumerable.Range(0, count + 1).Select(index => first + (index * step)).Select(value => new AxisTick(value, label(value)));

    // The next of 1, 2, 5 and 10, times a power of ten.
    private static double StepOf(double least)
    {
        double power = Math.Pow(10, Math.Floor(Math.Log10(least)));
        double[] steps = [1, 2, 5, 10];
        return steps.First(step => step * power >= least * (1 - 1e-9)) * power;
    }
}

/// <summary>A marked value of an axis.</summary>
/// <param name="Value">The value.</param>
/// <param name="Label">Its label.</param>
internal readonly record struct AxisTick(double Value, string Label);
