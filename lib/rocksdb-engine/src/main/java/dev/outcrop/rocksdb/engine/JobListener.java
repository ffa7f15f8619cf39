package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import java.lang.invoke.MethodHandles;

/**
 * Notes for each thread of RocksDB whether it is writing a file, for {@link RunningCallbacks#isWritingFile}. RocksDB sends the events from
 * the thread that does the work, and does not hold its lock then.
 */
final class JobListener implements Upcall {
    private static final NativeEventListener LISTENER = new NativeEventListener(MethodHandles.lookup(), "flushBegin",
            "done", "done", "done", "subcompactionBegin", "subcompactionCompleted", "done", "error", "other", "other");
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
        running.isWritingFile = false;
    }

    /** A flush has ended, or a compaction begins or has ended. A failed flush sends no event when it ends. */
    static void done(RunningCallbacks running, long id, long db, long info) {
        running.isWritingFile = false;
    }

    static void error(RunningCallbacks running, long id, int reason, long status) {
        // The thread goes on.
    }

    static void other(RunningCallbacks running, long id, long info) {
        // Not about a job.
    }
}
