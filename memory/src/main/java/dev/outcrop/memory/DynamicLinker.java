package dev.outcrop.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** Opens shared libraries for the rest of the process's life, and knows the reason when that fails. */
final class DynamicLinker {
    private static final int RTLD_LAZY = 1;

    private DynamicLinker() {
    }

    /** Opens a library; the message of the exception is the system's reason. */
    @SuppressWarnings("restricted")
    static SymbolLookup open(Path file) throws IOException {
        try {
            return SymbolLookup.libraryLookup(file, Arena.global());
        } catch (IllegalArgumentException e) {
            throw new IOException(reason(file), e);
        }
    }

    /** The JDK keeps dlopen's reason to itself, so this asks again. */
    private static String reason(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle dlopen = NativeCalls.linkLibc("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
            MethodHandle dlerror = NativeCalls.linkLibc("dlerror", FunctionDescriptor.of(ADDRESS));
            MemorySegment library = (MemorySegment) dlopen.invokeExact(arena.allocateFrom(file.toString()), RTLD_LAZY);
            MemorySegment message = (MemorySegment) dlerror.invokeExact();
            if (library.address() == 0 && message.address() != 0) {
                return NativeCalls.view(message.address(), Long.MAX_VALUE).getString(0);
            }
        } catch (UnsatisfiedLinkError e) {
            // No dlopen on this system: the text below has to do.
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
        return "the dynamic linker gave no reason";
    }
}
