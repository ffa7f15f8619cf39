package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.Objects;

/**
 * The order of the keys of a database, in Java. Set it with {@link Options#comparator(KeyComparator)}, and always open the database with
 * it. If one of RocksDB's own orders is enough, use it: it is faster.
 *
 * <p>RocksDB calls a comparator from any thread, from several at the same time, and about twenty times for each key that it looks
 * up. It must be a consistent total order that never changes. Keys that compare as 0 are the same key.
 *
 * <p>The segments are read-only, and usable only by the calling thread until the method returns; afterwards they throw.
 *
 * <p>A comparator must not throw. If it does, RocksDB gets the order of the keys' bytes for this comparison, because it has no way to
 * report the failure. The exception is logged, and the method that led to the comparison throws it, if there is one. Entries written
 * meanwhile may be in the wrong place, so close the database and open it with a comparator that works.
 *
 * <p>A comparator must not use the databases that it orders, not even to read, nor their objects, such as an iterator: that throws {@link
 * IllegalStateException}. It can read and write other databases, but cannot wait for their flushes and compactions. A comparator that waits
 * for another thread that does any of this may deadlock.
 */
public interface KeyComparator {
    /**
     * Returns the name. RocksDB stores the name with the database, and opens the database only with a comparator of the same name: give
     * each order its own name.
     *
     * @return the name, always the same; names that begin with {@code rocksdb.} and {@code leveldb.} are RocksDB's own
     */
    String name();

    /**
     * Compares two keys, without their timestamps if they have any.
     *
     * @param a a key
     * @param b another one
     * @return negative if {@code a} comes first, positive if {@code b} does, 0 if they are the same key
     */
    int compare(MemorySegment a, MemorySegment b);

    /**
     * Returns the size of the timestamp at the end of each key, in bytes.
     *
     * @return 0 for keys without timestamps; always the same
     */
    default int timestampSize() {
        return 0;
    }

    /**
     * Compares two timestamps. Among entries with the same key the one with the greater timestamp is newer and comes first.
     *
     * <p>By default, timestamps are unsigned numbers with the least significant byte first, as in RocksDB's own comparators.
     *
     * @param a a timestamp, of {@link #timestampSize()} bytes
     * @param b another one
     * @return negative if {@code a} is older, positive if {@code b} is, 0 if they are the same
     */
    default int compareTimestamps(MemorySegment a, MemorySegment b) {
        if (a.byteSize() == Long.BYTES && b.byteSize() == Long.BYTES) {
            ValueLayout.OfLong layout = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
            return Long.compareUnsigned(a.get(layout, 0), b.get(layout, 0));
        }
        for (long i = Math.min(a.byteSize(), b.byteSize()) - 1; i >= 0; i--) {
            int difference = Byte.compareUnsigned(a.get(ValueLayout.JAVA_BYTE, i), b.get(ValueLayout.JAVA_BYTE, i));
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    /**
     * Makes a comparator of keys without timestamps.
     *
     * @param name  its name, see {@link #name()}
     * @param order the order of the keys
     * @return a comparator with this name and order
     */
    static KeyComparator of(String name, Comparator<? super MemorySegment> order) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(order, "order");
        return new KeyComparator() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public int compare(MemorySegment a, MemorySegment b) {
                return order.compare(a, b);
            }
        };
    }
}
