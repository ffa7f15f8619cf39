package dev.outcrop.benchmarks.harness;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A library of C functions, which stays loaded until the process ends. */
public final class CLibrary {
    private final SymbolLookup functions;

    @SuppressWarnings("restricted") // the library is ours
    public CLibrary(Path compiled) {
        functions = SymbolLookup.libraryLookup(compiled, Arena.global());
    }

    @SuppressWarnings("restricted") // the functions are ours
    MethodHandle function(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(functions.findOrThrow(name), type);
    }

    /** Links and calls a function; slow. */
    public @Nullable Object call(String name, FunctionDescriptor type, Object... arguments) {
        try {
            return function(name, type).invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw failed(name, e);
        }
    }

    /** Returns a function without arguments. */
    public LongSupplier counting(String name) {
        MethodHandle function = function(name, FunctionDescriptor.of(JAVA_LONG));
        return () -> {
            try {
                return (long) function.invokeExact();
            } catch (Throwable e) {
                throw failed(name, e);
            }
        };
    }

    static BenchmarkException failed(String name, Throwable e) {
        return new BenchmarkException("Cannot call the C function " + name + ": " + e, e);
    }
}
