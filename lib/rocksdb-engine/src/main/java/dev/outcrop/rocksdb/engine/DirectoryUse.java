package dev.outcrop.rocksdb.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the directory of an info log from being destroyed by this process. RocksDB writes to the log before it locks a database, after it
 * has unlocked it, and in the directories of secondary instances, which have no lock. If RocksDB cannot begin the next log there, it goes on
 * with the closed one (AutoRollLogger::Logv), which ends the process.
 */
public final class DirectoryUse implements AutoCloseable {
    private static final int DESTROYING = -1;
    /** The number of databases for each directory. Guarded by itself. */
    private static final Map<String, Integer> USES = new HashMap<>();

    private final String directory;

    private DirectoryUse(String directory) {
        this.directory = directory;
    }

    /**
     * Begins the use of a directory by a database, from before it is opened until after it was closed.
     *
     * @return null if the directory is being destroyed
     */
    public static @Nullable DirectoryUse begin(String directory) {
        DirectoryUse use = new DirectoryUse(normal(directory));
        synchronized (USES) {
            int users = USES.getOrDefault(use.directory, 0);
            if (users == DESTROYING) {
                return null;
            }
            USES.put(use.directory, users + 1);
        }
        return use;
    }

    /**
     * Begins the destruction of a directory.
     *
     * @return null if a database uses the directory, or it is being destroyed
     */
    public static @Nullable DirectoryUse destroy(String directory) {
        DirectoryUse use = new DirectoryUse(normal(directory));
        synchronized (USES) {
            return USES.putIfAbsent(use.directory, DESTROYING) == null ? use : null;
        }
    }

    /** Ends the use or the destruction. Called once. */
    @Override
    public void close() {
        synchronized (USES) {
            int users = USES.getOrDefault(directory, 0);
            if (users > 1) {
                USES.put(directory, users - 1);
            } else {
                USES.remove(directory);
            }
        }
    }

    private static String normal(String directory) {
        try {
            return OsPath.text(real(OsPath.of(directory).toAbsolutePath()));
        } catch (IllegalArgumentException e) {
            // RocksDB takes some paths that Java does not.
            return directory;
        }
    }

    /** Resolves symbolic links, also in the path of a directory that does not exist yet. */
    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            Path parent = path.getParent();
            Path name = path.getFileName();
            return parent == null || name == null ? path : real(parent).resolve(name).normalize();
        }
    }
}
