package dev.outcrop.benchmarks.harness;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reserves a directory for one process. The reservation ends with the process, even by kill -9. */
public final class DirectoryLock implements AutoCloseable {
    /** The file that is locked. */
    public static final String FILE = "lock";

    private final Path directory;
    private final FileChannel file;

    private DirectoryLock(Path directory, FileChannel file) {
        this.directory = directory;
        this.file = file;
    }

    /** Takes an existing directory. Fails with the message {@code taken} if another process has it. */
    public static DirectoryLock take(Path directory, String taken) throws IOException {
        FileChannel file = FileChannel.open(directory.resolve(FILE), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        if (!isLocked(file)) {
            file.close();
            throw new BenchmarkException(taken);
        }
        return new DirectoryLock(directory, file);
    }

    /** Takes the directory for the files of a run, so that only one run is active: the sides of two runs would slow each other down. */
    public static DirectoryLock takeWork(Path directory) throws IOException {
        return take(directory, "Another benchmark runs in " + directory + ": wait for its end");
    }

    private static boolean isLocked(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new BenchmarkException("Cannot unlock " + directory + ": " + e.getMessage(), e);
        }
    }
}
