package dev.outcrop.memory;

import dev.outcrop.memory.LibraryFinder.NativeLibrary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Loads each native library when it is first needed, and keeps it until the process ends.
 *
 * <p>The search order for a library is:
 * <ol>
 * <li>the file that the system property {@code outcrop.rocksdb.library} names;
 * <li>the resource {@code dev/outcrop/natives/<platform>/librocksdb.so} ({@code .dylib} on macOS), which the jar {@code
 * dev.outcrop:outcrop-rocksdb-natives} with the classifier {@code <platform>} holds, for example {@code linux-x86_64},
 * {@code linux-aarch64-musl} or {@code macos-aarch64}. Outcrop's own class loader looks for the resource first, then the thread's context
 * class loader.
 * </ol>
 *
 * <p>A library from a jar is unpacked into a cache directory of the user: the system property {@code
 * outcrop.cache.directory}, or else {@code $XDG_CACHE_HOME/outcrop} or {@code ~/.cache/outcrop} ({@code
 * ~/Library/Caches/outcrop} on macOS). The directory must belong to the user that runs the process, and nobody else may have write access.
 * If there is no such directory, for example for a user without a home, or if no code in it may run, the process makes a fresh directory in
 * {@code java.io.tmpdir} that only the user can enter, and deletes it when the JVM ends. {@code java.io.tmpdir} and its parent directories
 * must belong to root or to the user, and others may have write access only with the sticky bit. If the property is not set and the
 * environment has the variable {@code ROCKSDB_SHAREDLIB_DIR}, as for the published jar of RocksDB, the fresh directory is made there. The
 * file is checked before each load, by the CRC-32 in the jar, and also by its SHA-256 when it is unpacked.
 *
 * <p>All methods are thread-safe. A failure is not remembered: the next call tries again.
 */
public final class NativeLibraries {
    private static volatile @Nullable NativeLibrary rocksdb;

    private NativeLibraries() {
    }

    /**
     * Returns the functions of RocksDB's C API.
     *
     * @return a lookup of the symbols of {@code librocksdb}, valid until the process ends
     * @throws UnsatisfiedLinkError  if the library is not found or cannot be loaded; the message lists what was tried
     *                               and says what to do
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static SymbolLookup rocksdb() {
        return rocksdbLibrary().symbols();
    }

    /**
     * Returns the file of {@link #rocksdb()}, and loads it if it is not loaded yet.
     *
     * @return an absolute path
     * @throws UnsatisfiedLinkError  as {@link #rocksdb()}
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static Path rocksdbPath() {
        return rocksdbLibrary().path();
    }

    /** {@return whether the library of {@link #rocksdb()} is loaded} */
    public static boolean isRocksdbLoaded() {
        return rocksdb != null;
    }

    /**
     * Loads a file as the library of {@link #rocksdb()}, unless a library is loaded already.
     *
     * @param file the library
     * @throws UnsatisfiedLinkError  if there is no such file, or if it cannot be loaded
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static synchronized void loadRocksdb(Path file) {
        if (rocksdb == null) {
            rocksdb = new LibraryFinder("rocksdb", Platform.current()).load(file);
        }
    }

    /** A function that every version of the library has: its address distinguishes loaded copies. */
    public static final String KNOWN_FUNCTION = "rocksdb_open";

    /**
     * Links the native methods of the classes of one class loader to the library that {@link #rocksdb()} uses. The JVM loads a path for one
     * class loader only, but the dynamic linker recognises a file by its inode. A second class loader therefore loads a hard link, which
     * this method deletes at once.
     *
     * @param load calls {@link System#load} in a class of that loader, and returns the address of {@link #KNOWN_FUNCTION} in the loaded
     *             library
     * @throws UnsatisfiedLinkError if the library cannot be loaded, or if this loaded another copy of it; the message says what to do
     */
    public static void bindRocksdb(Function<Path, MemorySegment> load) {
        NativeLibrary library = rocksdbLibrary();
        try {
            library.requireUnchanged();
            MemorySegment loaded;
            try {
                loaded = load.apply(library.path());
            } catch (UnsatisfiedLinkError e) {
                if (e.getCause() instanceof IllegalCallerException) {
                    throw e; // Native access is denied, for every path.
                }
                loaded = loadLink(library, load, e);
            }
            if (!library.symbols().find(KNOWN_FUNCTION).equals(Optional.of(loaded))) {
                throw new UnsatisfiedLinkError("Loading " + library.path() + " for JNI has given a second copy of it");
            }
        } catch (IOException e) {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError("Cannot load " + library.path() + " for JNI: "
                    + LibraryFinder.reason(e));
            error.initCause(e);
            throw error;
        }
    }

    private static MemorySegment loadLink(NativeLibrary library, Function<Path, MemorySegment> load,
            UnsatisfiedLinkError first) throws IOException {
        Path link;
        try {
            link = library.linkBeside();
        } catch (IOException e) {
            e.addSuppressed(first);
            throw new IOException(first.getMessage()
                    + ". Another class loader needs a hard link in the same directory, which cannot be"
                    + " made: let this user write there, or let all use one class loader", e);
        }
        try {
            return load.apply(link);
        } finally {
            Files.delete(link);
        }
    }

    private static NativeLibrary rocksdbLibrary() {
        NativeLibrary library = rocksdb;
        if (library == null) {
            synchronized (NativeLibraries.class) {
                library = rocksdb;
                if (library == null) {
                    library = new LibraryFinder("rocksdb", Platform.current()).load();
                    rocksdb = library;
                }
            }
        }
        return library;
    }
}
