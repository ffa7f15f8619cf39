package dev.outcrop.benchmarks.pipeline;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Directories;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code pipeline.c}: the same job without any queue, from records in a mapped file. */
final class CIngest implements Ingest {
    private final Path path;
    private final MemorySegment nativePath;
    private final MethodHandle open;
    private final MethodHandle ingest;
    private final MethodHandle close;

    @SuppressWarnings("restricted") // the library is ours
    CIngest(Path compiled, Path directory, int records, int payloadBytes) throws IOException {
        Path file = Files.createDirectories(directory).resolve("records");
        try (DataOutputStream to = new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(file)))) {
            byte[] padding = new byte[-payloadBytes & Long.BYTES - 1];
            Records.appendAll(records, payloadBytes, payload -> {
                try {
                    to.writeLong(Long.reverseBytes(payload.length));
                    to.write(payload);
                    to.write(padding);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        this.path = directory.resolve("db");
        this.nativePath = Arena.global().allocateFrom(path.toString());
        SymbolLookup library = SymbolLookup.libraryLookup(compiled, Arena.global());
        this.open = function(library, "open_empty", FunctionDescriptor.ofVoid(ADDRESS));
        this.ingest = function(library, "ingest", FunctionDescriptor.of(JAVA_LONG));
        this.close = function(library, "close_again", FunctionDescriptor.ofVoid());
        try {
            function(library, "use_library", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS)).invokeExact(
                    Arena.global().allocateFrom(Database.current().engine().toString()),
                    Arena.global().allocateFrom(file.toString()));
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @SuppressWarnings("restricted") // the functions are ours
    private static MethodHandle function(SymbolLookup library, String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type);
    }

    @Override
    public void open() {
        try {
            open.invokeExact(nativePath);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @Override
    public long run() {
        try {
            return (long) ingest.invokeExact();
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    @Override
    public void close() {
        try {
            close.invokeExact();
        } catch (Throwable e) {
            throw failed(e);
        }
        Directories.delete(path);
    }

    private static BenchmarkException failed(Throwable e) {
        return new BenchmarkException("Cannot call the C program: " + e, e);
    }
}
