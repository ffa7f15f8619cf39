package dev.outcrop.rocksdb.engine.callbacks;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The databases that are open in native memory, for what must stop them: a broken order, and the end of the process. */
public final class CallingDatabases {
    private static final Set<CallingDatabase> ALL = ConcurrentHashMap.newKeySet();

    private CallingDatabases() {
    }

    /** One of them. */
    public interface CallingDatabase {
        /** Whether RocksDB's threads may call Java for this database. */
        boolean callsBack();

        /** What is wrong with the order of its keys, if anything. */
        OrderFailure order();

        /** Stops flushes and compactions for good. */
        void stopBackgroundWork();

        /** Stops flushes and compactions for good, without the flush that RocksDB makes of what is not in the log. */
        void stopWithoutFlush();
    }

    public static void add(CallingDatabase database) {
        ALL.add(database);
    }

    public static Set<CallingDatabase> all() {
        return ALL;
    }

    public static void remove(CallingDatabase database) {
        ALL.remove(database);
    }

    /** How many there are, with those that were closed but are still needed by their children. */
    public static int count() {
        return ALL.size();
    }

    /** Stops the background work of all whose order is broken. */
    public static void stopBroken() {
        for (CallingDatabase each : ALL) {
            if (each.order().cause() != null) {
                each.stopWithoutFlush();
            }
        }
    }

    /** Whether one is open whose threads may call Java. */
    public static boolean callBack() {
        return ALL.stream().anyMatch(CallingDatabase::callsBack);
    }

    /** Stops the background work of all whose threads may call Java. */
    public static void stopCallbacks() {
        ALL.stream().filter(CallingDatabase::callsBack).forEach(CallingDatabase::stopBackgroundWork);
    }
}
