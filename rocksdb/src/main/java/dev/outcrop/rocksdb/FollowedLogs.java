package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The manifest and the logs that a secondary instance reads, checked before it does; see {@link LogFormat}. */
final class FollowedLogs {
    private static final String RECYCLING = "recycle_log_file_num";

    private final Map<Path, LogFormat> checked = new HashMap<>();

    /** Checks what has been written since the last time. */
    synchronized void require(Path database, Options options) {
        String recycled = StoredOptions.ofDatabaseIfAny(database).getOrDefault(RECYCLING, "0");
        if (!recycled.equals("0")) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE, "The database " + database
                    + " cannot be followed: it has " + RECYCLING + "=" + recycled
                    + ", and a secondary instance would read"
                    + " for ever where the file of an old log is used again. Open the primary instance without, or this"
                    + " one read-only");
        }
        Set<Path> files = new HashSet<>(LogFormat.logs(database, options));
        files.addAll(LogFormat.manifest(database));
        checked.keySet().retainAll(files);
        for (Path file : files) {
            checked.computeIfAbsent(file, added -> new LogFormat(added, true, true)).require();
        }
    }
}
