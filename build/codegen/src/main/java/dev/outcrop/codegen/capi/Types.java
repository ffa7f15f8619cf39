package dev.outcrop.codegen.capi;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Java types of C types. The first matching rule counts:
 * <ol>
 * <li>a pointer to a function is a {@code MemorySegment} (an upcall stub);
 * <li>a result that is a pointer is a {@code long} (0 is NULL), because the object has no Java owner yet;
 * <li>a parameter that points to bytes, {@code char *}, is a {@code MemorySegment}. The memory may be the user's own. The linker makes sure
 * that no other thread frees it during the call;
 * <li>any other pointer parameter is a {@code long}: this project owns and guards the memory of handles, out-parameters and arrays itself,
 * and a {@code long} needs no check and no object;
 * <li>a struct by value is a {@code MemorySegment};
 * <li>a number becomes a type of the same width, and its signedness is ignored; {@code unsigned char} is a {@code byte}.
 * </ol>
 */
record Types(Facts facts) {

    /** A Java type, and its memory layout in a function descriptor. */
    record JavaType(String name, String layout) {
    }

    private static final JavaType ADDRESS_AS_LONG = new JavaType("long", "JAVA_LONG");
    private static final JavaType SEGMENT = new JavaType("MemorySegment", "ADDRESS");

    // All platforms of the library are 64-bit Unix, where long and size_t have 64 bits.
    private static final Map<String, JavaType> NUMBERS = Map.ofEntries(
            numbers("byte", "JAVA_BYTE", "char", "unsigned char", "int8_t", "uint8_t"),
            numbers("int", "JAVA_INT", "int", "unsigned int", "int32_t", "uint32_t"),
            numbers("long", "JAVA_LONG", "size_t", "int64_t", "uint64_t", "unsigned long long"),
            numbers("double", "JAVA_DOUBLE", "double"), numbers("boolean", "JAVA_BOOLEAN", "bool"))
            .entrySet().stream().flatMap(e -> e.getValue().stream().map(c -> Map.entry(c, e.getKey())))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private static Map.Entry<JavaType, Set<String>> numbers(String name, String layout, String... cTypes) {
        return Map.entry(new JavaType(name, layout), Set.of(cTypes));
    }

    /** Returns the Java type of a parameter. */
    JavaType parameter(String cType) {
        if (isFunctionPointer(cType)) {
            return SEGMENT;
        }
        if (cType.endsWith("*")) {
            return pointee(cType).equals("char") ? SEGMENT : ADDRESS_AS_LONG;
        }
        return value(cType);
    }

    /** Returns the Java type of a result; not for {@code void}. */
    JavaType result(String cType) {
        if (isFunctionPointer(cType)) {
            return SEGMENT;
        }
        return cType.endsWith("*") ? ADDRESS_AS_LONG : value(cType);
    }

    /** Returns the Java type of a parameter or result of a callback. Pointers are numbers here, so that calls make no objects. */
    static JavaType callback(String cType) {
        return cType.endsWith("*") ? ADDRESS_AS_LONG : number(cType);
    }

    /** Returns the constant with the layout of a struct. */
    static String layoutName(String struct) {
        return "CStructs." + struct.toUpperCase(Locale.ROOT);
    }

    /** Returns whether a function returns a struct by value, for which Java must allocate the memory. */
    boolean isStruct(String cType) {
        return facts.structs().containsKey(cType);
    }

    private boolean isFunctionPointer(String cType) {
        return cType.contains("(*)") || facts.callbacks().containsKey(cType);
    }

    private static String pointee(String pointer) {
        String pointee = pointer.substring(0, pointer.length() - 1).strip();
        return Stream.of(pointee.split(" ")).filter(word -> !word.equals("const")).collect(Collectors.joining(" "));
    }

    private JavaType value(String cType) {
        if (isStruct(cType)) {
            return new JavaType("MemorySegment", layoutName(cType));
        }
        return number(cType);
    }

    /** Returns whether a C type is a number, a character or a truth value. */
    static boolean isNumber(String cType) {
        return NUMBERS.containsKey(cType);
    }

    /** Returns the Java type of a number. */
    static JavaType number(String cType) {
        JavaType number = NUMBERS.get(cType);
        if (number == null) {
            throw new IllegalArgumentException("no Java type is known for the C type '" + cType + "': add it to Types");
        }
        return number;
    }
}
