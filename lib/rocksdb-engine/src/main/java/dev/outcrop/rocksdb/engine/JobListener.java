package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import java.lang.invoke.MethodHandles;

/**
 * Notes which threads write files for flushes and compactions. RocksDB sends these events from the thread that does the work, while the
 * thread does not hold the lock of the database.
 */
final class JobListener implements Upcall {
    private static final NativeEventListener LISTENER = new NativeEventListener(MethodHandles.lookup(), "flushBegin",
            "endFile", "endFile", "endFile", "subcompactionBegin", "subcompactionCompleted", "endFile", "error",
            "other",
            "other");
    private static final String NAME = "jobs";

    private JobListener() {
    }

    /** Adds a listener to the {@code rocksdb_options_t *} that a database is opened with. */
    static void addTo(long options) {
        NativeDbOptions.addEventListener(options,
                LISTENER.create(Callbacks.register(NAME, CallbackKind.EVENT_LISTENER, NAME)));
    }

    static void flushBegin(RunningCallbacks running, long id, long db, long info) {
        running.beginFileOfJob();
    }

    static void subcompactionBegin(RunningCallbacks running, long id, long info) {
        running.beginFileOfJob();
    }

    static void subcompactionCompleted(RunningCallbacks running, long id, long info) {
        running.endFileOfJob();
    }

    /** A flush or a compaction has ended, or a compaction begins: a failed flush sends no event when it ends. */
    static void endFile(RunningCallbacks running, long id, long db, long info) {
        running.endFileOfJob();
    }

    static void error(RunningCallbacks running, long id, int reason, long status) {
        // The thread goes on.
    }

    static void other(RunningCallbacks running, long id, long info) {
        // Not about a job.
    }
}
