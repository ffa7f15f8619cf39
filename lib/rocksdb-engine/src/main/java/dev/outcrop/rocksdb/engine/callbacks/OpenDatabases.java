package dev.outcrop.rocksdb.engine.callbacks;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The databases that are open in native memory. They are stopped if a comparator fails or the process ends. */
public final class OpenDatabases {
    private static final Set<OpenDatabase> ALL = ConcurrentHashMap.newKeySet();

    private OpenDatabases() {
    }

    /** An open database. */
    public interface OpenDatabase {
        /** Returns whether RocksDB's threads may call Java for this database. */
        boolean callsBack();

        /** Returns the failure of its comparators. */
        ComparatorFailure order();

        /** Takes and releases the lock that stopping needs. */
        void lock();

        /** Stops flushes and compactions for good. */
        void stopBackgroundWork();

        /** Stops flushes and compactions for good, without RocksDB's flush of unlogged data. */
        void stopWithoutFlush();
    }

    public static void add(OpenDatabase database) {
        ALL.add(database);
    }

    public static Set<OpenDatabase> all() {
        return ALL;
    }

    public static void remove(OpenDatabase database) {
        ALL.remove(database);
    }

    /** Returns the number of databases, including closed ones that their children keep open. */
    public static int count() {
        return ALL.size();
    }

    /** Takes and releases the locks of all databases with a failed comparator. */
    public static void lockBroken() {
        for (OpenDatabase each : ALL) {
            if (each.order().cause() != null) {
                each.lock();
            }
        }
    }

    /** Stops the background work of all databases with a failed comparator. */
    public static void stopBroken() {
        for (OpenDatabase each : ALL) {
            if (each.order().cause() != null) {
                each.stopWithoutFlush();
            }
        }
    }

    /** Returns whether RocksDB's threads may call Java for one of the databases. */
    public static boolean callBack() {
        return ALL.stream().anyMatch(OpenDatabase::callsBack);
    }

    /** Stops the background work of all databases that may call Java. */
    public static void stopCallbacks() {
        ALL.stream().filter(OpenDatabase::callsBack).forEach(OpenDatabase::stopBackgroundWork);
    }
}
