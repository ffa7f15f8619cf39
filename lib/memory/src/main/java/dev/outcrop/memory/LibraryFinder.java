package dev.outcrop.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds and loads a native library in the order that {@link NativeLibraries} documents, or reports everything it tried.
 *
 * <p>Conventions, for a library called {@code rocksdb}: property {@code outcrop.rocksdb.library}, resource {@code
 * dev/outcrop/natives/<classifier>/librocksdb.so} with its SHA-256 in hex beside it in {@code librocksdb.so.sha256},
 * artifact {@code dev.outcrop:outcrop-rocksdb-natives}.
 */
final class LibraryFinder {
    private final Platform platform;
    private final String property;
    private final String artifact;
    private final String fileName;
    private final String resource;

    LibraryFinder(String name, Platform platform) {
        this.platform = platform;
        this.property = "outcrop." + name + ".library";
        this.artifact = "outcrop-" + name + "-natives";
        this.fileName = platform.libraryFile(name);
        this.resource = "dev/outcrop/natives/" + platform.classifier() + "/" + fileName;
    }

    /** A loaded library and its file. */
    record NativeLibrary(SymbolLookup symbols, Path path, Object inode) {
        private static final int RTLD_LAZY = 1;

        static NativeLibrary load(Path file) throws IOException {
            Object inode = inodeOf(file);
            return new NativeLibrary(open(file), file, inode);
        }

        /** Opens a library for the life of the process; the message of the exception is the system's reason. */
        @SuppressWarnings("restricted")
        private static SymbolLookup open(Path file) throws IOException {
            try {
                return SymbolLookup.libraryLookup(file, Arena.global());
            } catch (IllegalArgumentException e) {
                throw new IOException(linkerReason(file), e);
            }
        }

        /** Asks the dynamic linker again, because the JDK does not pass on the linker's reason. */
        private static String linkerReason(Path file) {
            try (Arena arena = Arena.ofConfined()) {
                MethodHandle dlopen = NativeCalls.linkLibc("dlopen",
                        FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
                MethodHandle dlerror = NativeCalls.linkLibc("dlerror", FunctionDescriptor.of(ADDRESS));
                MemorySegment library = (MemorySegment) dlopen.invokeExact(arena.allocateFrom(file.toString()),
                        RTLD_LAZY);
                MemorySegment message = (MemorySegment) dlerror.invokeExact();
                if (library.address() == 0 && message.address() != 0) {
                    return NativeCalls.view(message.address(), Long.MAX_VALUE).getString(0);
                }
            } catch (UnsatisfiedLinkError e) {
                // This system has no dlopen, so the text below must be enough.
            } catch (Throwable e) {
                throw NativeCalls.unexpected(e);
            }
            return "the dynamic linker gave no reason";
        }

        private static Object inodeOf(Path file) throws IOException {
            return List.of(Files.getAttribute(file, "unix:dev"), Files.getAttribute(file, "unix:ino"));
        }

        /** Checks that the path still names the loaded file: otherwise the dynamic linker would load a second library. */
        void requireUnchanged() throws IOException {
            if (!inodeOf(path).equals(inode)) {
                throw new IOException("another file has taken its place since it was loaded; start the program again");
            }
        }

        /** Makes a new path for the file, in its directory. */
        Path linkBeside() throws IOException {
            Path file = path.toRealPath();
            return Files.createLink(file.resolveSibling(".link-" + ProcessHandle.current().pid() + "-"
                    + Long.toHexString(System.nanoTime()) + "-" + file.getFileName()), file);
        }
    }

    NativeLibrary load() {
        NativeAccess.require();
        String explicit = System.getProperty(property);
        if (explicit != null) {
            return loadExplicit(explicit);
        }
        List<String> tried = new ArrayList<>();
        tried.add("the system property " + property + ", which is not set");
        for (ClassLoader loader : loaders()) {
            URL content = loader.getResource(resource);
            if (content != null) {
                return loadUnpacked(content, loader.getResource(resource + ".sha256"));
            }
            tried.add("the resource " + resource + ", which class loader " + loader + " does not find");
        }
        throw notFound(tried);
    }

    private NativeLibrary loadExplicit(String value) {
        String what = "The system property " + property + " names '" + value + "', ";
        Path file;
        try {
            // The dynamic linker would look for a bare file name in its own directories.
            file = Path.of(value).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw failure(what + "which is not a path: " + e.getMessage(), e);
        }
        return load(file, what, "Set it to the path of " + fileName + ", or do not set it and add " + dependency());
    }

    /** Loads a file that the program names. */
    NativeLibrary load(Path file) {
        NativeAccess.require();
        return load(file.toAbsolutePath(), "The library was requested from '" + file + "', ",
                "Name the path of " + fileName + ", or none and add " + dependency());
    }

    private NativeLibrary load(Path file, String what, String instead) {
        if (!Files.isRegularFile(file)) {
            throw failure(what + "which is not a file. " + instead + ".", null);
        }
        try {
            return NativeLibrary.load(file);
        } catch (IOException e) {
            throw failure(what + "which cannot be loaded on " + platform.classifier() + ": " + e.getMessage(), e);
        }
    }

    private NativeLibrary loadUnpacked(URL content, @Nullable URL sha256) {
        String expected;
        try {
            expected = expectedSha256(sha256);
        } catch (IOException e) {
            throw failure("Cannot unpack " + content + ": " + e.getMessage(), e);
        }
        List<IOException> failures = new ArrayList<>();
        for (LibraryCache.Place place : LibraryCache.places(platform)) {
            try {
                return load(place.find(), content, expected);
            } catch (LibraryCache.DamagedException e) {
                throw failure("Cannot unpack " + content + ": " + e.getMessage(), e);
            } catch (IOException e) {
                failures.add(e);
            }
        }
        String reasons = failures.stream().map(LibraryFinder::reason)
                .collect(Collectors.joining("\nAnd in a fresh directory: "));
        throw failure("Cannot load " + content + ": " + reasons + "\nTo use another directory, set the system property "
                + LibraryCache.DIRECTORY_PROPERTY
                + " to one that only this user may write; it is created if it"
                + " is missing. To use a library that is unpacked already, set " + property + " to its path.",
                failures.getFirst());
    }

    private NativeLibrary load(LibraryCache cache, URL content, String sha256) throws IOException {
        try {
            Path file = cache.unpack(content, fileName, sha256);
            try {
                return NativeLibrary.load(file);
            } catch (IOException e) {
                throw new IOException("Cannot load " + file + ": " + e.getMessage() + adviceAfterLoad(e, file), e);
            }
        } catch (IOException e) {
            try {
                cache.discard();
            } catch (IOException | UncheckedIOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    static String reason(IOException e) {
        return e instanceof FileSystemException
                ? e.getClass().getSimpleName() + " " + e.getMessage()
                : String.valueOf(e.getMessage());
    }

    /** Advises about file systems that are mounted noexec; glibc and musl have different messages for them. */
    private static String adviceAfterLoad(IOException e, Path file) {
        String reason = String.valueOf(e.getMessage());
        if (reason.contains("failed to map segment") || reason.contains("Operation not permitted")
                || reason.contains("Permission denied")) {
            return "\nThe system does not let code in " + file.getParent()
                    + " run, most likely because its file system is mounted"
                    + " noexec. Set the system property " + LibraryCache.DIRECTORY_PROPERTY
                    + " to a directory on a file system that is not.";
        }
        return "";
    }

    private String expectedSha256(@Nullable URL sha256) throws IOException {
        if (sha256 == null) {
            throw new IOException("its jar lacks " + resource + ".sha256. Use an unchanged jar of " + artifact + ".");
        }
        try (InputStream in = LibraryCache.open(sha256)) {
            String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip();
            // It becomes the name of a directory, so it must be a hash.
            if (!hex.matches("[0-9a-f]{64}")) {
                throw new IOException(
                        sha256 + " is no SHA-256 in lower-case hex. Use an unchanged jar of " + artifact + ".");
            }
            return hex;
        }
    }

    private UnsatisfiedLinkError notFound(List<String> tried) {
        String places = tried.stream().map(place -> "\n  - " + place).collect(Collectors.joining());
        return failure("No " + fileName + " for " + platform.classifier() + ". Tried:" + places + "\n" + whatToAdd(),
                null);
    }

    private String whatToAdd() {
        if (platform.isSupported()) {
            return "Add the dependency " + dependency() + ", or set the property to the path of a " + fileName + "."
                    + onModulePath();
        }
        if (platform.os().equals("windows")) {
            return "Windows is not supported yet: the DLL that RocksDB publishes exports no C API."
                    + " If you have built one that does, set the property to its path.";
        }
        return "No library is published for this platform. Build " + fileName
                + " from RocksDB's sources (make shared_lib) and set the property to its path.";
    }

    /** Advises about module paths: no module requires the module of a natives jar, so the jar alone is not enough. */
    private String onModulePath() {
        return LibraryFinder.class.getModule().isNamed()
                ? "\nIf its jar is on the module path already, start java with --add-modules dev.outcrop.natives."
                        + platform.classifier().replace('-', '_') + " as well."
                : "";
    }

    private String dependency() {
        return "dev.outcrop:" + artifact + ":" + version() + ":" + platform.classifier();
    }

    /** Returns the version that Maven writes into every jar; classes outside a jar have no version. */
    private static String version() {
        Properties properties = new Properties();
        try (InputStream in = LibraryFinder.class
                .getResourceAsStream("/META-INF/maven/dev.outcrop/outcrop-memory/pom.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            // An unreadable jar must not hide the message.
        }
        return properties.getProperty("version", "<version of outcrop-memory>");
    }

    /** Returns Outcrop's own class loader, then the thread's: in a container, perhaps only the application has the natives jar. */
    private static Set<ClassLoader> loaders() {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        loaders.add(LibraryFinder.class.getClassLoader());
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            loaders.add(context);
        }
        return loaders;
    }

    private static UnsatisfiedLinkError failure(String message, @Nullable Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
        error.initCause(cause);
        return error;
    }
}
