namespace NetCoreNetworkBenchmark.Reports.Documents;

internal sealed class Axis
{
    // A result that was changed by hand can have any number. Beyond this one, a plot could show no difference.
    private const double Largest = 1e15;
    private const int MaxTicks = 5;
    private const double MaxDecadesInSteps = 2.2;
    private const double MinDecades = 0.2;
    private const double LowestOfLogarithmic = 1e-3;

    private readonly double _low;
    private readonly double _high;
    private readonly Func<double, double> _scale;

    private Axis(double low, double high, Func<double, double> scale, IEnumerable<(double Value, string Label)> ticks)
    {
        (_low, _high, _scale) = (low, high, scale);
        Ticks = [.. ticks.Where(tick => tick.Value >= low && tick.Value <= high)];
        Lines = [.. Ticks.Select(tick => tick.Value)];
    }

    public IReadOnlyList<(double Value, string Label)> Ticks { get; }

    public bool IsLogarithmic => _scale == Logarithm;

    public IReadOnlyList<double> Lines { get; private init; }

    public static Axis Linear(IEnumerable<double> values, Func<double, string> label)
    {
        double[] ends = [0, .. Finite(values)];
        double low = ends.Min();
        double high = ends.Max() is var max && max > low ? max : low + 1;
        double step = StepOf((high - low) / MaxTicks);
        double first = Math.Floor(low / step) * step;
        int count = (int)Math.Ceiling((high - first) / step);
        return new Axis(first, first + (count * step), value => value, Enumerable.Range(0, count + 1).Select(
            index => (first + (index * step), label(first + (index * step)))));
    }

    public static Axis Numbers(int count)
    {
        int step = Math.Max(1, (int)StepOf(count / (2.0 * MaxTicks)));
        IEnumerable<int> numbers = Enumerable.Range(1, count).Where(number => count <= 2 * MaxTicks || number % step == 0);
        return new Axis(0.5, count + 0.5, value => value, numbers.Select(number => ((double)number, number.ToString(CultureInfo.InvariantCulture))));
    }

    public static Axis Groups(IReadOnlyList<string> names) => new(
        0.5, names.Count + 0.5, value => value, names.Select((name, index) => (index + 1.0, name)))
    {
        Lines = [.. Enumerable.Range(0, names.Count + 1).Select(index => index + 0.5)],
    };

    public static Axis Logarithmic(IEnumerable<double> values, Func<double, string> label)
    {
        double[] finite = [.. Finite(values).Where(value => value > 0).Select(value => Math.Max(value, LowestOfLogarithmic)).DefaultIfEmpty(1)];
        (double low, double high) = (finite.Min(), finite.Max());
        double missing = Math.Pow(10, Math.Max(0, MinDecades - Math.Log10(high / low)) / 2);
        (low, high) = (low / missing, high * missing);
        double decades = Math.Log10(high / low);
        double[] steps = decades > MaxDecadesInSteps ? [1] : decades > 1 ? [1, 2, 5] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
        int every = Math.Max(1, (int)Math.Ceiling(decades / (MaxTicks + 1)));

        // A little more space, so that no value is on the frame.
        double margin = Math.Pow(10, decades * 0.04);
        (low, high) = (low / margin, high * margin);
        IEnumerable<(double Value, string Label)> ticks =
            from decade in Enumerable.Range((int)Math.Floor(Math.Log10(low)), (int)Math.Ceiling(decades) + 3)
            where decade % every == 0
            from step in steps
            let value = step * Math.Pow(10, decade)
            select (value, label(value));
        return new Axis(low, high, Logarithm, ticks);
    }

    public static Axis LogarithmicFrom(double low, double high) => new(low, Math.Max(10 * low, high), Logarithm, []);

    /// <summary>The values are the logarithms of 1/(1-p).</summary>
    public static Axis Percentiles(double highest)
    {
        double[] marked = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999, 99.99999, 99.999999];
        return new Axis(0, Math.Clamp(highest, 1, Largest), value => value, marked.Select(
            percentile => (PositionOf(percentile / 100), percentile.ToString("0.######", CultureInfo.InvariantCulture))));
    }

    public static double PositionOf(double share) => -Math.Log10(1 - share);

    /// <summary>Returns 0 at the low end and 1 at the high end. Values beyond an end are placed there.</summary>
    public double PlaceOf(double value)
    {
        double low = _scale(_low);
        double place = (_scale(value) - low) / (_scale(_high) - low);
        return double.IsNaN(place) ? 0 : Math.Clamp(place, 0, 1);
    }

    private static double Logarithm(double value) => Math.Log10(Math.Max(value, double.Epsilon));

    private static double[] Finite(IEnumerable<double> values) => [.. values.Where(double.IsFinite).Select(value => Math.Clamp(value, -Largest, Largest))];

    // The next of 1, 2, 5 and 10, times a power of ten.
    private static double StepOf(double min)
    {
        double power = Math.Pow(10, Math.Floor(Math.Log10(min)));
        double[] steps = [1, 2, 5, 10];
        return steps.First(step => step * power >= min * (1 - 1e-9)) * power;
    }
}
