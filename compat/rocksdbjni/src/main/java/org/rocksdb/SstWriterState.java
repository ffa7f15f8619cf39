package org.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of an {@code SstFileWriter} in Java. The native writer has plain pointers to an env and a rate limiter. Adding an entry is a
 * scope, so that a failed comparator ends the file: RocksDB would trust any result of a comparator.
 */
final class SstWriterState implements AutoCloseable {

    private final SstFileWriter writer;
    private final List<Object> kept = new ArrayList<>();
    private List<CheckedComparator> comparators = List.of();
    /** The failure of a comparator, or null. */
    private Throwable failure;

    SstWriterState(SstFileWriter writer) {
        this.writer = writer;
    }

    void takeFrom(EnvOptionsState environment) {
        kept.add(environment.hold());
    }

    void takeFrom(OptionsState options) {
        kept.addAll(options.callbacks());
        comparators = ComparatorMonitor.comparators(options.callbacks());
        if (options.callsJava()) {
            writer.callsJava();
        }
    }

    /** Begins a call on a thread that holds the lock of the writer; null if no comparator can fail. */
    SstWriterState begin() throws RocksDBException {
        if (comparators.isEmpty()) {
            return null;
        }
        requireOrder();
        RunningCallbacks.ofThread().beginFile();
        return this;
    }

    @Override
    public void close() throws RocksDBException {
        RunningCallbacks running = RunningCallbacks.ofThread();
        running.end();
        failure = running.unanswered();
        for (CheckedComparator comparator : comparators) {
            failure = failure == null ? comparator.contradiction() : failure;
        }
        requireOrder();
    }

    private void requireOrder() throws RocksDBException {
        if (failure != null) {
            throw ComparatorMonitor.failure("The table file is of no use", failure,
                    "Write another one, with a comparator that works");
        }
    }
}
