package dev.outcrop.rocksdb;

import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The entries of an iterator as a stream. */
/*
 * Elements are copies: a stream may sort, collect or hand them to other threads, where segments of the current entry would only throw.
 * Copies also mean that no segment is ever open, so a parallel stream may pull from any thread.
 */
final class EntrySpliterator extends Spliterators.AbstractSpliterator<KeyValue> {
    private final KeyValueIterator entries;
    private final boolean isReversed;
    private boolean hasStarted;
    private boolean hasEnded;

    private EntrySpliterator(KeyValueIterator entries, boolean isReversed) {
        super(Long.MAX_VALUE, ORDERED | DISTINCT | NONNULL | IMMUTABLE);
        this.entries = entries;
        this.isReversed = isReversed;
    }

    /** The stream, which closes the iterator at its end or when it is closed itself. */
    static Stream<KeyValue> stream(KeyValueIterator entries, boolean isReversed) {
        return StreamSupport.stream(new EntrySpliterator(entries, isReversed), false).onClose(entries::close);
    }

    @Override
    public boolean tryAdvance(Consumer<? super KeyValue> action) {
        if (hasEnded) {
            return false;
        }
        try {
            if (move()) {
                action.accept(entries.entry());
                return true;
            }
        } catch (Throwable e) {
            // Nothing reads on, and few callers close a stream that threw an exception.
            end();
            throw e;
        }
        end();
        return false;
    }

    private void end() {
        hasEnded = true;
        entries.close();
    }

    private boolean move() {
        if (hasStarted) {
            return isReversed ? entries.previous() : entries.next();
        }
        hasStarted = true;
        return isReversed ? entries.seekToLast() : entries.seekToFirst();
    }
}
