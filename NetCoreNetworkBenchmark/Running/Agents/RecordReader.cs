using System.Reflection;
using System.Text.Json;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>By reflection: each process would compile 1,300 methods of the serializer for a plan. A missing value keeps its default.</summary>
internal static class RecordReader
{
    public static object? Read(JsonElement json, Type type) => json.ValueKind switch
    {
        JsonValueKind.Object when type.IsInterface => json.EnumerateObject().ToDictionary(member => member.Name, member => member.Value.GetString()!),
        JsonValueKind.Object => ReadRecord(json, type),
        JsonValueKind.Array when type.IsGenericType => ReadList(json, type.GetGenericArguments()[0]),
        JsonValueKind.Null => null,
        _ => ReadValue(json, Nullable.GetUnderlyingType(type) ?? type),
    };

    private static object ReadRecord(JsonElement json, Type type)
    {
        object record = type.GetConstructor([]) is null ? RuntimeHelpers.GetUninitializedObject(type) : Activator.CreateInstance(type)!;
        foreach (JsonProperty member in json.EnumerateObject())
        {
            const BindingFlags Properties = BindingFlags.Public | BindingFlags.Instance | BindingFlags.IgnoreCase;
            if (type.GetProperty(member.Name, Properties) is { SetMethod: { } setter } property)
            {
                // A fresh invoker compiles nothing. That of the property would compile two methods when it is used again.
                MethodInvoker.Create(setter).Invoke(record, Read(member.Value, property.PropertyType));
            }
        }

        return record;
    }

    private static Array ReadList(JsonElement json, Type type)
    {
        var list = Array.CreateInstance(type, json.GetArrayLength());
        for (int index = 0; index < list.Length; index++)
        {
            list.SetValue(Read(json[index], type), index);
        }

        return list;
    }

    private static object ReadValue(JsonElement json, Type type) =>
        type.IsEnum ? Enum.Parse(type, json.GetString()!)
        : type == typeof(bool) ? json.GetBoolean()
        : type == typeof(int) ? json.GetInt32()
        : type == typeof(long) ? json.GetInt64()
        : type == typeof(double) ? json.GetDouble()
        : type == typeof(TimeSpan) ? TimeSpan.Parse(json.GetString()!, CultureInfo.InvariantCulture)
        : type == typeof(byte[]) ? json.GetBytesFromBase64()
        : json.GetString()!;
}
