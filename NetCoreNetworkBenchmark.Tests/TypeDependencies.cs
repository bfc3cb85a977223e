using System.Collections.Concurrent;
using System.Reflection;

namespace NetCoreNetworkBenchmark.Tests;

/// <summary>Finds the types that a compiled type uses: in its declaration, its members' signatures and the bodies of its methods.</summary>
internal static class TypeDependencies
{
    private static readonly ConcurrentDictionary<Type, Type[]> s_found = new();

    public static IEnumerable<Type> Of(Type type) => s_found.GetOrAdd(type, static type => [.. Direct(type).SelectMany(Parts).Distinct()]);

    private static IEnumerable<Type> Direct(Type type)
    {
        IEnumerable<Type> declaration = type.GetInterfaces().Append(type.BaseType ?? typeof(object));
        IEnumerable<Type> fields = type.GetFields(CompiledMethod.Declared).Select(field => field.FieldType);
        IEnumerable<MethodBase> methods =
            type.GetMethods(CompiledMethod.Declared).Cast<MethodBase>().Concat(type.GetConstructors(CompiledMethod.Declared));
        return declaration.Concat(fields).Concat(methods.SelectMany(InMethod));
    }

    private static IEnumerable<Type> InMethod(MethodBase method)
    {
        IEnumerable<Type> signature = method.GetParameters().Select(parameter => parameter.ParameterType)
            .Append(method is MethodInfo { ReturnType: var result } ? result : typeof(void));
        IEnumerable<Type> locals = method.GetMethodBody()?.LocalVariables.Select(local => local.LocalType) ?? [];
        return signature.Concat(locals).Concat(CompiledMethod.MembersIn(method).SelectMany(InMember));
    }

    private static IEnumerable<Type> InMember(MemberInfo member) => member switch
    {
        Type type => [type],
        MethodBase called => called.GetParameters().Select(parameter => parameter.ParameterType).Append(called.DeclaringType ?? typeof(object)),
        FieldInfo field => [field.FieldType, field.DeclaringType ?? typeof(object)],
        _ => [],
    };

    // An array, a pointer or a generic type is used together with the types that it consists of.
    private static IEnumerable<Type> Parts(Type type) => type.HasElementType
        ? Parts(type.GetElementType()!)
        : type.IsGenericType ? type.GetGenericArguments().SelectMany(Parts).Append(type) : [type];
}
