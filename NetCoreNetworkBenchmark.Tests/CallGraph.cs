namespace NetCoreNetworkBenchmark.Tests;

/// <summary>
/// Follows the calls of compiled methods through given types. A call of an interface method or of a virtual method leads to all of its
/// implementations in these types. Calls of other types are found, but not followed.
/// </summary>
/// <param name="types">The types whose methods are followed.</param>
/// <param name="stops">The methods that are not followed, as Type.Method.</param>
internal sealed class CallGraph(IEnumerable<Type> types, IReadOnlySet<string> stops)
{
    private readonly HashSet<Type> _types = [.. types];

    public static string NameOf(MethodBase method) => $"{method.DeclaringType?.Name}.{method.Name}";

    /// <summary>Every call that is reached from a method, with the caller first. A method that is only referenced counts as called.</summary>
    public IReadOnlyList<(MethodBase Caller, MethodBase Called)> CallsFrom(IEnumerable<MethodBase> roots)
    {
        var calls = new List<(MethodBase Caller, MethodBase Called)>();
        var waiting = new Queue<MethodBase>(roots);
        var methods = new HashSet<MethodBase>(waiting);
        while (waiting.TryDequeue(out MethodBase? caller))
        {
            foreach (MethodBase called in CompiledMethod.MembersIn(caller).OfType<MethodBase>().Where(called => !stops.Contains(NameOf(called))))
            {
                calls.Add((caller, called));
                foreach (MethodBase next in BodiesOf(called).Where(methods.Add))
                {
                    waiting.Enqueue(next);
                }
            }
        }

        return calls;
    }

    private IEnumerable<MethodBase> BodiesOf(MethodBase called) => called is MethodInfo { IsVirtual: true } method
        ? _types.Where(type => type.IsAssignableTo(method.DeclaringType)).SelectMany(type => Implementations(type, method)).Append(called).Where(IsFollowed)
        : new[] { called }.Where(IsFollowed);

    private bool IsFollowed(MethodBase method) => method.DeclaringType is { } type && _types.Contains(Definition(type)) && method.GetMethodBody() is not null;

    private static Type Definition(Type type) => type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : type;

    private static IEnumerable<MethodInfo> Implementations(Type type, MethodInfo method)
    {
        if (!method.DeclaringType!.IsInterface)
        {
            return type.GetMethods(CompiledMethod.Declared).Where(own => own.GetBaseDefinition() == method.GetBaseDefinition());
        }

        if (type.IsInterface)
        {
            return [];
        }

        InterfaceMapping map = type.GetInterfaceMap(method.DeclaringType);
        return [map.TargetMethods[Array.IndexOf(map.InterfaceMethods, method)]];
    }
}
