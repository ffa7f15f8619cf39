package dev.outcrop.rocksdbjni;

import dev.outcrop.memory.NativeLibraries;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Links {@code native} methods to the library's JNI functions, for calls without a C function. The generator's table
 * {@code jni-natives.tsv} lists these methods. The JVM links such a method to a library that the class loader of the method's class has
 * loaded. This must be the library of {@link NativeLibraries#rocksdb()}, because the methods and the C functions share objects.
 */
public final class NativeMethods {

    /** The functions that were found. If there is any, the library is loaded. */
    private static final Set<String> FOUND = ConcurrentHashMap.newKeySet();
    private static boolean isLoaded;

    private NativeMethods() {
    }

    /**
     * Checks that a native method can be linked. Called before each call of the method.
     *
     * @param symbol the function
     */
    public static void require(String symbol) {
        if (FOUND.contains(symbol)) {
            return;
        }
        load();
        if (NativeLibraries.rocksdb().find(symbol).isEmpty()) {
            throw new UnsupportedOperationException(
                    "The RocksDB library " + NativeLibraries.rocksdbPath() + " has no function "
                            + symbol + ": it was built without JNI, or is of another version");
        }
        FOUND.add(symbol);
    }

    /** Loads the library. If that fails, the next call tries again and reports why. */
    private static synchronized void load() {
        if (!isLoaded) {
            NativeLibraries.bindRocksdb(NativeMethods::load);
            isLoaded = true;
        }
    }

    @SuppressWarnings("restricted") // the error tells the program which option to set
    private static MemorySegment load(Path path) {
        try {
            System.load(path.toString());
        } catch (IllegalCallerException e) {
            Module module = NativeMethods.class.getModule();
            UnsatisfiedLinkError error = new UnsatisfiedLinkError(
                    "The JVM denies native methods. Start java with --enable-native-access="
                            + (module.isNamed() ? module.getName() : "ALL-UNNAMED"));
            error.initCause(e);
            throw error;
        }
        return SymbolLookup.loaderLookup().find(NativeLibraries.KNOWN_FUNCTION).orElse(MemorySegment.NULL);
    }
}
