package dev.outcrop.codegen.orgrocksdb;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Conversions between types of {@code org.rocksdb} and types of C. */
record Conversions(Table table) {

    private static final Set<String> SHORTER = Set.of("int", "int32_t");
    private static final Set<String> UNSIGNED = Set.of("unsigned int", "uint32_t");
    private static final Set<String> LONGER = Set.of("size_t", "int64_t", "uint64_t", "unsigned long long");

    private static boolean isInt(String c) {
        return SHORTER.contains(c) || UNSIGNED.contains(c);
    }

    /** Returns the expression for a parameter of C, or null if the types do not fit. */
    @Nullable
    String argument(String java, String c, String name) {
        return switch (java) {
            case "Z" -> c.equals("unsigned char")
                    ? "NativeValues.flag(" + name + ")"
                    : c.equals("bool") ? name : isInt(c) ? name + " ? 1 : 0" : null;
            case "B" -> isInt(c) || c.equals("unsigned char") ? name : null;
            case "I" -> isInt(c) || LONGER.contains(c) ? name : c.equals("unsigned char") ? "(byte) " + name : null;
            case "J" -> LONGER.contains(c) ? name : isInt(c) ? "(int) " + name : null;
            case "D" -> c.equals("double") ? name : null;
            case "Ljava/lang/String;" -> c.equals("const char *") ? "NativeValues.text(scratch, " + name + ")" : null;
            default -> isNumberedEnum(java) && (isInt(c) || c.endsWith("char"))
                    ? (c.endsWith("char") ? "(byte) " : "") + name + ".toNative()"
                    : null;
        };
    }

    /** Returns the expression for a result in Java, or null if the types do not fit. */
    @Nullable
    String result(String java, String c, String call) {
        return switch (java) {
            case "Z" -> c.equals("bool") ? call : c.equals("unsigned char") || isInt(c) ? call + " != 0" : null;
            case "B" -> isInt(c) ? "(byte) " + call : null;
            case "I" -> isInt(c) ? call : LONGER.contains(c) ? "(int) " + call : null;
            case "J" -> LONGER.contains(c) || SHORTER.contains(c)
                    ? call
                    : UNSIGNED.contains(c) ? "Integer.toUnsignedLong(" + call + ")" : null;
            case "D" -> c.equals("double") ? call : null;
            default -> isNumberedEnum(java) && (isInt(c) || c.equals("unsigned char"))
                    ? new JavaTypes("org.rocksdb").name(internalName(java)) + ".fromNative(" + call + ")"
                    : null;
        };
    }

    private boolean isNumberedEnum(String java) {
        Table.JavaType type = java.startsWith("L") ? table.types().get(internalName(java)) : null;
        return type != null && type.is("enum") && !type.constants().isEmpty()
                && type.constants().getFirst().number() != null;
    }

    private static String internalName(String descriptor) {
        return descriptor.substring(1, descriptor.length() - 1);
    }
}
