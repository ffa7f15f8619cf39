package org.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;

/** Refuses calls inside callbacks if they would wait for the thread of the callback. */
final class CallbackRestrictions {

    private CallbackRestrictions() {
    }

    /** Checks before a wait for RocksDB's background threads. All databases share these threads, and one of them may be in the callback. */
    static void requireMayWait(String what) {
        RunningCallbacks running = RunningCallbacks.ofThread();
        if (running.level() > 0) {
            throw refusal(running, what + " would wait for a background thread that may be waiting for the callback");
        }
    }

    /** Checks before a write: the calling thread may already be inside a write, and would wait for itself. */
    static void requireMayWrite(RocksDB database) {
        if (database.state_.hasListeners) {
            RunningCallbacks running = RunningCallbacks.ofThread();
            if (running.level() > 0 && running.hasJavaCaller()) {
                throw refusal(running, "a write would wait for the one that has called the callback");
            }
        }
    }

    /** Checks before a call that a trace may record, if the database has had a trace: RocksDB would wait for itself. */
    static void requireOutsideTrace() {
        RunningCallbacks running = RunningCallbacks.ofThread();
        for (int level = running.level(); level > 0; level--) {
            if (running.at(level).kind == CallbackKind.TRACE_WRITER) {
                throw refusal(running, "RocksDB holds the lock of traces, which this call takes, too");
            }
        }
    }

    private static IllegalStateException refusal(RunningCallbacks running, String why) {
        return new IllegalStateException("This cannot be done inside the " + running.at(running.level()) + ": " + why
                + ". Do it when the callback has returned, or in another thread that is not waited for here");
    }
}
