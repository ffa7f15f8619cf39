package dev.outcrop.benchmarks.pipeline;

import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.outcrop.benchmarks.harness.CLibrary;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Directories;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** {@code pipeline.c}: the same job without any queue, from records in a mapped file. */
final class CIngest implements Ingest {
    private final Path path;
    private final CLibrary library;
    private final LongSupplier ingest;

    CIngest(Path compiled, Path directory, int records, int payloadBytes) throws IOException {
        Path file = Files.createDirectories(directory).resolve("records");
        try (DataOutputStream to = new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(file)))) {
            byte[] padding = new byte[-payloadBytes & Long.BYTES - 1];
            Ingest.appendAll(records, payloadBytes, payload -> {
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
        this.library = new CLibrary(compiled);
        this.ingest = library.counting("ingest");
        library.call("use_library", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS),
                Arena.global().allocateFrom(Database.current().engine().toString()),
                Arena.global().allocateFrom(file.toString()));
    }

    @Override
    public void open() {
        library.call("open_empty", FunctionDescriptor.ofVoid(ADDRESS), Arena.global().allocateFrom(path.toString()));
    }

    @Override
    public long run() {
        return ingest.getAsLong();
    }

    @Override
    public void close() {
        library.call("close_again", FunctionDescriptor.ofVoid());
        Directories.delete(path);
    }
}
