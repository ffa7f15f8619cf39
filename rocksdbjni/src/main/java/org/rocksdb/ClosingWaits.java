package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeWork;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What calls that are running may wait for while their database is closed, and that no user can end any longer: paused work, compactions
 * that were aborted, and memory of a {@link WriteBufferManager}. All that is counted here is counted inside a use of the database, so that
 * who closes it either waits for that or sees it.
 */
final class ClosingWaits {

    /** How many times background work was paused and not continued. */
    private final AtomicLong pauses = new AtomicLong();
    /** How many times compactions were aborted and not resumed. */
    private final AtomicLong aborts = new AtomicLong();
    /** Null if no write waits for memory. */
    private volatile WriteBufferManager manager;

    /** Before anybody knows the database. */
    void setManager(WriteBufferManager used) {
        if (used != null && used.allowStall() && used.keep()) {
            manager = used;
            // There may be no memory for that when the database is closed.
            Linkage.linkNow("rocksdb_write_buffer_manager_set_allow_stall");
        }
    }

    /** No call is running any longer, and none can begin. */
    void release() {
        WriteBufferManager used = manager;
        if (used != null) {
            manager = null;
            used.letGo();
        }
    }

    void pause(RocksDB database) throws RocksDBException {
        Linkage.linkNow("rocksdb_continue_background_work");
        try (Scratch scratch = database.use()) {
            NativeWork.pause(scratch, database.nativeHandle_);
            Errors.check(scratch);
            pauses.incrementAndGet();
        }
    }

    void resume(RocksDB database) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            // Before the call: a pause that is counted after it is another one.
            boolean _ = take(pauses);
            NativeWork.resume(scratch, database.nativeHandle_);
            Errors.check(scratch);
        }
    }

    void abortCompactions(RocksDB database) {
        // There may be no memory for that when it must be called.
        Exports.ROCKS_DB_RESUME_ALL_COMPACTIONS.prepare();
        try (Scratch _ = database.use()) {
            Exports.ROCKS_DB_ABORT_ALL_COMPACTIONS.call(NativeCalls.readLong(database.nativeHandle_));
            aborts.incrementAndGet();
        }
    }

    void resumeCompactions(RocksDB database) {
        try (Scratch _ = database.use()) {
            boolean _ = take(aborts);
            Exports.ROCKS_DB_RESUME_ALL_COMPACTIONS.call(NativeCalls.readLong(database.nativeHandle_));
        }
    }

    /**
     * Ends the waits of all calls that are running. Called again and again, because others may begin to wait.
     *
     * @param database that is being closed, and not freed yet
     */
    void end(RocksDB database) {
        while (take(aborts)) {
            try {
                Exports.ROCKS_DB_RESUME_ALL_COMPACTIONS.call(NativeCalls.readLong(database.nativeHandle_));
            } catch (Throwable e) {
                // There was no memory for it. The next time there may be.
                aborts.incrementAndGet();
                throw e;
            }
        }
        while (take(pauses)) {
            try (Scratch scratch = Scratch.open()) {
                NativeWork.resume(scratch, database.nativeHandle_);
                Errors.forget(scratch);
            } catch (Throwable e) {
                pauses.incrementAndGet();
                throw e;
            }
        }
        WriteBufferManager used = manager;
        if (used != null) {
            used.endStall();
        }
    }

    /** Takes one of those that were counted, if there is one. */
    private static boolean take(AtomicLong count) {
        long before;
        do {
            before = count.get();
            if (before == 0) {
                return false;
            }
        } while (!count.compareAndSet(before, before - 1));
        return true;
    }
}
