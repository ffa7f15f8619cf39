package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import dev.outcrop.rocksdbjni.NativeMethods;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ends the waits of running calls when their database is closed. The calls may wait for paused work, for aborted compactions, and for
 * memory of a {@link WriteBufferManager}. Pauses and aborts are counted inside a use of the database, so the closing thread either waits
 * for the use or sees the count.
 */
final class BackgroundPauses {

    /** The number of pauses of background work that were not continued. */
    private final AtomicLong pauses = new AtomicLong();
    /** The number of aborts of compactions that were not resumed. */
    private final AtomicLong aborts = new AtomicLong();
    /** Null if no write waits for memory. */
    private volatile WriteBufferManager manager;

    /** Called before the database is published. */
    void setManager(WriteBufferManager used) {
        if (used != null && used.allowStall() && used.keep()) {
            manager = used;
            // Linking later may fail for lack of memory.
            Linkage.linkNow("rocksdb_write_buffer_manager_set_allow_stall");
        }
    }

    /** Called after the last call. */
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
            NativeBackgroundWork.pause(scratch, database.nativeHandle_);
            Errors.check(scratch);
            pauses.incrementAndGet();
        }
    }

    void resume(RocksDB database) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            // Count before the call, because a later pause is a separate one.
            boolean _ = take(pauses);
            NativeBackgroundWork.resume(scratch, database.nativeHandle_);
            Errors.check(scratch);
        }
    }

    void abortCompactions(RocksDB database) {
        // Linking later may fail for lack of memory.
        NativeMethods.require("Java_org_rocksdb_RocksDB_resumeAllCompactions");
        try (Scratch _ = database.use()) {
            RocksDB.jniAbortAllCompactions(NativeCalls.readLong(database.nativeHandle_));
            aborts.incrementAndGet();
        }
    }

    void resumeCompactions(RocksDB database) {
        try (Scratch _ = database.use()) {
            boolean _ = take(aborts);
            RocksDB.jniResumeAllCompactions(NativeCalls.readLong(database.nativeHandle_));
        }
    }

    /**
     * Ends the waits of all running calls. Called repeatedly, because more calls may begin to wait.
     *
     * @param database the database, which is being closed but is not freed yet
     */
    void end(RocksDB database) {
        while (take(aborts)) {
            try {
                RocksDB.jniResumeAllCompactions(NativeCalls.readLong(database.nativeHandle_));
            } catch (Throwable e) {
                // Out of memory; the next attempt may succeed.
                aborts.incrementAndGet();
                throw e;
            }
        }
        while (take(pauses)) {
            try (Scratch scratch = Scratch.open()) {
                NativeBackgroundWork.resume(scratch, database.nativeHandle_);
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

    /** Decrements a count, if it is not 0. */
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
