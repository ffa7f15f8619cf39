package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.KeyText;
import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys, in the order of the column family that it is used with, and the direction to go through it.
 *
 * <pre>{@code
 * db.scan(KeyRange.prefix(prefix), (key, value) -> …);
 * db.scan(KeyRange.of(from, to).reversed(), (key, value) -> …);
 * }</pre>
 *
 * <p>Immutable: keys are copied.
 */
public final class KeyRange {
    /** Keys of the range that are longer than its end, by more than this, may count as behind the last key. */
    private static final int LONGER = 32;
    private static final KeyRange ALL = new KeyRange(null, null, false, false);

    /** The first key, inclusive; null for no limit. */
    private final byte @Nullable [] from;
    /** The end, exclusive; null for no limit. */
    private final byte @Nullable [] to;
    /** Whether the two enclose the keys that begin with {@link #from}, which is possible only in bytewise order. */
    private final boolean isPrefix;
    private final boolean isReversed;

    private KeyRange(byte @Nullable [] from, byte @Nullable [] to, boolean isPrefix, boolean isReversed) {
        this.from = from;
        this.to = to;
        this.isPrefix = isPrefix;
        this.isReversed = isReversed;
    }

    /**
     * Returns the range of all keys.
     *
     * @return a range without limits
     */
    public static KeyRange all() {
        return ALL;
    }

    /**
     * Returns the range from one key to another.
     *
     * @param from the first key that is in the range
     * @param to   the key that ends it and is not in it
     * @return the range
     */
    public static KeyRange of(byte[] from, byte[] to) {
        return new KeyRange(from.clone(), to.clone(), false, false);
    }

    /**
     * Returns the range from one key to another.
     *
     * @param from the first key that is in the range
     * @param to   the key that ends it and is not in it
     * @return the range
     */
    public static KeyRange of(MemorySegment from, MemorySegment to) {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        return new KeyRange(bytes(from), bytes(to), false, false);
    }

    /**
     * Returns the range from a key to the last one.
     *
     * @param from the first key that is in the range
     * @return the range
     */
    public static KeyRange from(byte[] from) {
        return new KeyRange(from.clone(), null, false, false);
    }

    /**
     * Returns the range from a key to the last one.
     *
     * @param from the first key that is in the range
     * @return the range
     */
    public static KeyRange from(MemorySegment from) {
        Objects.requireNonNull(from, "from");
        return new KeyRange(bytes(from), null, false, false);
    }

    /**
     * Returns the range from the first key to another.
     *
     * @param to the key that ends the range and is not in it
     * @return the range
     */
    public static KeyRange to(byte[] to) {
        return new KeyRange(null, to.clone(), false, false);
    }

    /**
     * Returns the range from the first key to another.
     *
     * @param to the key that ends the range and is not in it
     * @return the range
     */
    public static KeyRange to(MemorySegment to) {
        Objects.requireNonNull(to, "to");
        return new KeyRange(null, bytes(to), false, false);
    }

    /**
     * Returns the range of all keys that begin with the same bytes. For column families in bytewise order, which is RocksDB's default.
     *
     * <p>If a column family has a {@linkplain Options#prefixExtractor(SliceTransform) prefix extractor}, scans that begin with a whole
     * prefix and read with {@link ReadOptions#prefixSameAsStart(boolean)} skip files without that prefix. Scans of reversed ranges look at
     * all files.
     *
     * @param prefix how the keys begin
     * @return the range
     */
    public static KeyRange prefix(byte[] prefix) {
        return ofPrefix(prefix.clone());
    }

    /**
     * Returns the range of all keys that begin with the same bytes. For column families in bytewise order, which is RocksDB's default.
     *
     * <p>If a column family has a {@linkplain Options#prefixExtractor(SliceTransform) prefix extractor}, scans that begin with a whole
     * prefix and read with {@link ReadOptions#prefixSameAsStart(boolean)} skip files without that prefix. Scans of reversed ranges look at
     * all files.
     *
     * @param prefix how the keys begin
     * @return the range
     */
    public static KeyRange prefix(MemorySegment prefix) {
        Objects.requireNonNull(prefix, "prefix");
        return ofPrefix(bytes(prefix));
    }

    private static KeyRange ofPrefix(byte[] prefix) {
        return new KeyRange(prefix, after(prefix), true, false);
    }

    /** Returns the first key behind all keys with a prefix; null if there is none. */
    private static byte @Nullable [] after(byte[] prefix) {
        int length = prefix.length;
        while (length > 0 && prefix[length - 1] == (byte) 0xff) {
            length--;
        }
        if (length == 0) {
            return null;
        }
        byte[] after = Arrays.copyOf(prefix, length);
        after[length - 1]++;
        return after;
    }

    private static byte[] bytes(MemorySegment key) {
        return key.toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Returns the same keys in the other direction.
     *
     * @return a range that goes backward if this one goes forward, and the reverse
     */
    public KeyRange reversed() {
        return new KeyRange(from, to, isPrefix, !isReversed);
    }

    /**
     * Returns the direction.
     *
     * @return whether the range goes backward
     */
    public boolean isReversed() {
        return isReversed;
    }

    byte @Nullable [] from() {
        return from;
    }

    byte @Nullable [] to() {
        return to;
    }

    /**
     * Returns the last key of the range, for calls that include the end; null if there is no limit, or no key before {@link #to}. In
     * bytewise order there may be no last key, only ever longer keys. Then this returns one of the last keys, so that a call never goes
     * beyond the range.
     *
     * @throws IllegalArgumentException if the order is not bytewise, and the range has an end
     */
    byte @Nullable [] lastKey(Family family) {
        if (to == null) {
            return null;
        }
        if (!UserComparator.BYTEWISE.equals(family.order)) {
            throw new IllegalArgumentException("The last key before the end of the range " + this
                    + " is not known, because the " + family
                    + " does not have the order of bytes; give the first and the last key instead");
        }
        if (to.length == 0) {
            return null;
        }
        if (to[to.length - 1] == 0) {
            return Arrays.copyOf(to, to.length - 1);
        }
        byte[] last = Arrays.copyOf(to, to.length + LONGER);
        last[to.length - 1]--;
        Arrays.fill(last, to.length, last.length, (byte) 0xff);
        return last;
    }

    /**
     * Checks that this range is valid in the order of a column family.
     *
     * @throws IllegalArgumentException if it ends before it begins, or is a prefix and the order is not bytewise
     */
    void require(Family family) {
        if (isPrefix) {
            if (!UserComparator.BYTEWISE.equals(family.order)) {
                throw new IllegalArgumentException(
                        "The keys that begin with " + KeyText.of(Objects.requireNonNull(from))
                                + " are not a range of the "
                                + family + ", because it does not have the order of bytes; use KeyRange.of(from, to)");
            }
        } else if (from != null && to != null && compare(family.order, from, to) > 0) {
            throw new IllegalArgumentException("The range " + this + " ends before it begins, in the order of the "
                    + family + "; give the smaller key first");
        }
    }

    /** The message for a range that ends before it begins. */
    static String reversed(String what, String place, MemorySegment begin, MemorySegment end) {
        return "The range to " + what + ", from " + KeyText.of(begin) + " to before " + KeyText.of(end)
                + ", ends before it begins, in the order of the " + place + "; give the smaller key first";
    }

    private static int compare(UserComparator order, byte[] a, byte[] b) {
        // Without segments in the order that most families have: a short scan should leave none.
        return UserComparator.BYTEWISE.equals(order)
                ? Arrays.compareUnsigned(a, b)
                : order.compare(MemorySegment.ofArray(a), MemorySegment.ofArray(b));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyRange range && Arrays.equals(from, range.from) && Arrays.equals(to, range.to)
                && isPrefix == range.isPrefix && isReversed == range.isReversed;
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(from), Arrays.hashCode(to), isPrefix, isReversed);
    }

    /** The range, for messages: keys as text if they are printable ASCII, otherwise in hexadecimal digits. */
    @Override
    public String toString() {
        String keys = isPrefix
                ? "begins with " + KeyText.of(Objects.requireNonNull(from))
                : (from == null ? "all" : "from " + KeyText.of(from))
                        + (to == null ? "" : " to before " + KeyText.of(to));
        return isReversed ? keys + ", reversed" : keys;
    }
}
