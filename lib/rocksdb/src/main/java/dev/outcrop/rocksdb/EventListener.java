package dev.outcrop.rocksdb;

import java.util.Objects;

/**
 * A listener for flushes, compactions and other background work of a database. Set it with {@link Options#addEventListener(EventListener)};
 * override the methods of interest. RocksDB calls them from any thread, mostly its own, from several at the same time, and some while a
 * write waits: they must return soon.
 *
 * <p>A listener can read the databases that it listens to. It cannot change them, because they may wait for the listener; that throws
 * {@link IllegalStateException}. Waiting for flushes and compactions in RocksDB's own threads, of other databases too, throws it as well. A
 * listener that waits for another thread that does any of this may deadlock. If a listener has something to write, it must pass the work to
 * another thread and return.
 *
 * <p>The arguments are copies that may be kept. If a method throws, the exception is logged, and the method that led to the call throws it,
 * if there is one; RocksDB continues.
 */
public interface EventListener {
    /**
     * A flush begins.
     *
     * @param info the flush; nothing is known about its table file yet
     */
    default void onFlushBegin(FlushJobInfo info) {
        Objects.requireNonNull(info, "info");
    }

    /**
     * A flush has ended, and its table file is in use.
     *
     * @param info the flush
     */
    default void onFlushCompleted(FlushJobInfo info) {
        Objects.requireNonNull(info, "info");
    }

    /**
     * A compaction begins.
     *
     * @param info the compaction; nothing is known about its results yet
     */
    default void onCompactionBegin(CompactionJobInfo info) {
        Objects.requireNonNull(info, "info");
    }

    /**
     * A compaction has ended, whether it succeeded or not.
     *
     * @param info the compaction
     */
    default void onCompactionCompleted(CompactionJobInfo info) {
        Objects.requireNonNull(info, "info");
    }

    /**
     * A thread begins with its part of a compaction.
     *
     * @param info the part; nothing is known about its results yet
     */
    default void onSubcompactionBegin(SubcompactionJobInfo info) {
        Objects.requireNonNull(info, "info");
    }

    /**
     * A thread has done its part of a compaction.
     *
     * @param info the part
     */
    default void onSubcompactionCompleted(SubcompactionJobInfo info) {
        Objects.requireNonNull(info, "info");
    }

    /**
     * A table file was ingested.
     *
     * @param info the file
     */
    default void onExternalFileIngested(ExternalFileIngestionInfo info) {
        Objects.requireNonNull(info, "info");
    }

    /**
     * Something in the background failed, and the database is about to stop writing because of it.
     *
     * @param reason the operation that failed
     * @param status how it failed
     * @return true to make RocksDB forget the error and continue writing as if nothing had happened, which may lose data; a thread that
     *         waits for the failed operation, such as a flush, may then wait without end. False to let RocksDB stop
     */
    default boolean onBackgroundError(BackgroundErrorReason reason, Status status) {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(status, "status");
        return false;
    }

    /**
     * Writes are slowed down, stopped, or free again.
     *
     * @param info the change
     */
    default void onStallConditionsChanged(WriteStallInfo info) {
        Objects.requireNonNull(info, "info");
    }

    /**
     * A memtable is full and will be flushed.
     *
     * @param info the memtable
     */
    default void onMemTableSealed(MemTableInfo info) {
        Objects.requireNonNull(info, "info");
    }
}
