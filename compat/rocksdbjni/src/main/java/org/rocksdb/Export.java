package org.rocksdb;

import static java.lang.invoke.MethodType.methodType;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeLibraries;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/** A function that the library exports for JNI, called without a {@code JNIEnv}. It is linked when first called. */
final class Export {

    private static final MethodHandle DOUBLE_OF;
    private static final MethodHandle BITS_OF;

    static {
        try {
            DOUBLE_OF = MethodHandles.publicLookup().findStatic(Double.class, "longBitsToDouble",
                    methodType(double.class, long.class));
            BITS_OF = MethodHandles.publicLookup().findStatic(Double.class, "doubleToRawLongBits",
                    methodType(long.class, double.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String symbol;
    private final MethodType type;
    private volatile MethodHandle handle;

    /** Declares a function by the types of its parameters after environment and class. */
    Export(String name, String descriptor) {
        symbol = "Java_org_rocksdb_" + name;
        type = MethodType.fromMethodDescriptorString(descriptor, null);
    }

    /** Calls the function. Doubles are passed and returned as bits, flags as 0 or 1; the result of a void function is 0. */
    long call(long... arguments) {
        MethodHandle linked = linked();
        try {
            return (long) linked.invokeExact(arguments);
        } catch (Throwable thrown) {
            throw NativeCalls.unexpected(thrown);
        }
    }

    /** Links the function now. */
    void prepare() {
        MethodHandle _ = linked();
    }

    private MethodHandle linked() {
        MethodHandle linked = handle;
        if (linked == null) {
            linked = link();
            handle = linked;
        }
        return linked;
    }

    private MethodHandle link() {
        MemoryLayout[] layouts = new MemoryLayout[type.parameterCount() + 2];
        Arrays.fill(layouts, ValueLayout.JAVA_LONG);
        for (int i = 0; i < type.parameterCount(); i++) {
            layouts[i + 2] = layout(type.parameterType(i));
        }
        FunctionDescriptor descriptor = type.returnType() == void.class
                ? FunctionDescriptor.ofVoid(layouts)
                : FunctionDescriptor.of(layout(type.returnType()), layouts);
        MethodHandle call = MethodHandles.insertArguments(find(descriptor), 0, 0L, 0L);
        for (int i = 0; i < type.parameterCount(); i++) {
            call = type.parameterType(i) == double.class
                    ? MethodHandles.filterArguments(call, i, DOUBLE_OF)
                    : call;
        }
        call = type.returnType() == double.class ? MethodHandles.filterReturnValue(call, BITS_OF) : call;
        Class<?>[] longs = new Class<?>[type.parameterCount()];
        Arrays.fill(longs, long.class);
        return MethodHandles.explicitCastArguments(call, methodType(long.class, longs))
                .asSpreader(long[].class, type.parameterCount());
    }

    private MethodHandle find(FunctionDescriptor descriptor) {
        return NativeCalls
                .link(NativeLibraries.rocksdb().find(symbol).orElseThrow(() -> new UnsupportedOperationException(
                        "The RocksDB library has no function " + symbol + ": it was built without JNI")), descriptor);
    }

    private static MemoryLayout layout(Class<?> carrier) {
        return switch (carrier.descriptorString()) {
            case "J" -> ValueLayout.JAVA_LONG;
            case "I" -> ValueLayout.JAVA_INT;
            case "B" -> ValueLayout.JAVA_BYTE;
            case "C" -> ValueLayout.JAVA_CHAR;
            case "Z" -> ValueLayout.JAVA_BOOLEAN;
            case "D" -> ValueLayout.JAVA_DOUBLE;
            default -> throw new IllegalArgumentException(carrier.descriptorString());
        };
    }
}
