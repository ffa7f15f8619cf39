package dev.outcrop.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the temporary directories of tests in memory, because RocksDB syncs its files, and most tests would only wait for the disk. The
 * nightly run uses the disk. A module chooses this class in {@code junit-platform.properties}.
 */
public final class MemoryDirectory implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 1L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension) throws IOException {
        boolean hasRoom = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ROOM;
        return hasRoom && !TestSize.isNightly()
                ? Files.createTempDirectory(MEMORY, "outcrop")
                : Files.createTempDirectory("outcrop");
    }
}
