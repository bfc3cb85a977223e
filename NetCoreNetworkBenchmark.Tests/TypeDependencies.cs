using System.Reflection;
using System.Reflection.Emit;

namespace NetCoreNetworkBenchmark.Tests;

/// <summary>Finds the types that a compiled type uses: in its declaration, its members' signatures and the bodies of its methods.</summary>
internal static class TypeDependencies
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly Dictionary<short, OpCode> s_opCodes = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!)
        .ToDictionary(code => code.Value);

    public static IEnumerable<Type> Of(Type type) => Direct(type).SelectMany(Parts).Distinct();

    private static IEnumerable<Type> Direct(Type type)
    {
        IEnumerable<Type> declaration = type.GetInterfaces().Append(type.BaseType ?? typeof(object));
        IEnumerable<Type> fields = type.GetFields(Declared).Select(field => field.FieldType);
        IEnumerable<MethodBase> methods = type.GetMethods(Declared).Cast<MethodBase>().Concat(type.GetConstructors(Declared));
        return declaration.Concat(fields).Concat(methods.SelectMany(InMethod));
    }

    private static IEnumerable<Type> InMethod(MethodBase method)
    {
        IEnumerable<Type> signature = method.GetParameters().Select(parameter => parameter.ParameterType)
            .Append(method is MethodInfo { ReturnType: var result } ? result : typeof(void));
        MethodBody? body = method.GetMethodBody();
        return body is null
            ? signature
            : signature.Concat(body.LocalVariables.Select(local => local.LocalType)).Concat(InBody(method, body.GetILAsByteArray()!));
    }

    private static IEnumerable<Type> InBody(MethodBase method, byte[] il)
    {
        int position = 0;
        while (position < il.Length)
        {
            short value = il[position++];
            if (value == 0xfe)
            {
                value = (short)((value << 8) | il[position++]);
            }

            OpCode code = s_opCodes[value];
            if (code.OperandType is OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineTok or OperandType.InlineType)
            {
                foreach (Type type in Resolve(method, BitConverter.ToInt32(il, position)))
                {
                    yield return type;
                }
            }

            position += OperandSize(code, il, position);
        }
    }

    private static IEnumerable<Type> Resolve(MethodBase method, int token)
    {
        Type[]? ofType = method.DeclaringType?.IsGenericType == true ? method.DeclaringType.GetGenericArguments() : null;
        Type[]? ofMethod = method.IsGenericMethod ? method.GetGenericArguments() : null;
        MemberInfo? member = method.Module.ResolveMember(token, ofType, ofMethod);
        return member switch
        {
            Type type => [type],
            MethodBase called => called.GetParameters().Select(parameter => parameter.ParameterType).Append(called.DeclaringType ?? typeof(object)),
            FieldInfo field => [field.FieldType, field.DeclaringType ?? typeof(object)],
            _ => [],
        };
    }

    private static int OperandSize(OpCode code, byte[] il, int position) => code.OperandType switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(il, position)),
        _ => 4,
    };

    // An array, a pointer or a generic type is used together with what it is made of.
    private static IEnumerable<Type> Parts(Type type) => type.HasElementType
        ? Parts(type.GetElementType()!)
        : type.IsGenericType ? type.GetGenericArguments().SelectMany(Parts).Append(type) : [type];
}
