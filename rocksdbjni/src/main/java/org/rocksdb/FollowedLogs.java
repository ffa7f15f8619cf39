package org.rocksdb;

import dev.outcrop.rocksdb.engine.LogFormat;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** How far the logs that a secondary instance follows were checked, so that no part is read twice. Thread-safe. */
final class FollowedLogs {

    private final Map<Path, LogFormat> files = new HashMap<>();

    /** Checks what has been added to the logs; forgets those that are gone. */
    synchronized void require(List<Path> present) throws RocksDBException {
        files.keySet().retainAll(new HashSet<>(present));
        for (Path file : present) {
            DamagedLogs.require(files.computeIfAbsent(file, added -> new LogFormat(added, true, true)));
        }
    }
}
