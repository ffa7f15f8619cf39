package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.testsupport.TestSize;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReusedSynchronisationType;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.util.BytewiseComparator;
import org.rocksdb.util.IntComparator;
import org.rocksdb.util.ReverseBytewiseComparator;

/** Comparators written in Java. */
class ComparatorsTest extends DatabaseTest {
    /** How many comparators end while a database stays open. */
    private static final int ENDED = TestSize.choose("outcrop.comparators.ended", 4, 20);

    /** The last byte counts first. */
    private static final class Backwards extends AbstractComparator {
        private final AtomicInteger calls = new AtomicInteger();

        Backwards(ComparatorOptions options) {
            super(options);
        }

        @Override
        public String name() {
            return "backwards";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            calls.incrementAndGet();
            assertThat(a.isDirect()).isEqualTo(usingDirectBuffers());
            assertThat(b.hasArray()).isNotEqualTo(usingDirectBuffers());
            return reversed(a).compareTo(reversed(b));
        }

        private static String reversed(ByteBuffer key) {
            return new StringBuilder(UTF_8.decode(key)).reverse().toString();
        }
    }

    @Test
    void keysAreInTheOrderOfTheComparator() throws RocksDBException {
        for (boolean direct : new boolean[]{true, false}) {
            String path = directory.resolve("direct-" + direct).toString();
            try (ComparatorOptions shown = new ComparatorOptions().setUseDirectBuffer(direct);
                    Backwards order = new Backwards(shown);
                    Options options = new Options().setCreateIfMissing(true).setComparator(order);
                    RocksDB db = RocksDB.open(options, path);
                    FlushOptions flush = new FlushOptions()) {
                for (String key : List.of("az", "by", "cx", "dw")) {
                    db.put(key.getBytes(UTF_8), new byte[0]);
                }
                assertThat(keys(db)).containsExactly("dw", "cx", "by", "az");
                db.flush(flush);
                assertThat(keys(db)).containsExactly("dw", "cx", "by", "az");
                assertThat(order.calls.get()).isGreaterThan(3);
            }
            try (Options other = new Options()) {
                assertThatThrownBy(() -> RocksDB.open(other, path)).isInstanceOf(RocksDBException.class)
                        .hasMessageContaining("backwards");
            }
        }
    }

    /** Orders keys by their bytes after it has read from a database with another comparator, and leaves its buffers in disorder. */
    private static final class Nested extends AbstractComparator {
        private final RocksDB other;
        /** Failures that callers of the database do not see. */
        private final List<Throwable> failures = new CopyOnWriteArrayList<>();

        Nested(ComparatorOptions options, RocksDB other) {
            super(options);
            this.other = other;
        }

        @Override
        public String name() {
            return "nested";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            try {
                return compareAndDisturb(a, b);
            } catch (RocksDBException | AssertionError e) {
                failures.add(e);
                throw new IllegalStateException(e);
            }
        }

        private int compareAndDisturb(ByteBuffer a, ByteBuffer b) throws RocksDBException {
            assertThat(a.order()).isEqualTo(b.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
            assertThat(a.position() + b.position()).isZero();
            assertThat(a.isReadOnly() && b.isReadOnly()).isTrue();
            assertThat(other.get("key7".getBytes(UTF_8))).isEqualTo("7".getBytes(UTF_8));
            int order = a.compareTo(b);
            a.order(ByteOrder.LITTLE_ENDIAN).position(a.limit());
            b.limit(0);
            return order;
        }
    }

    /** So many that most comparisons are not among the first ones, which are checked. */
    @Test
    void aComparatorMayReadFromADatabaseWithAnotherOne() throws RocksDBException {
        ComparatorOptions shown = closeLater(new ComparatorOptions());
        BytewiseComparator bytewise = closeLater(new BytewiseComparator(shown));
        Options inner = closeLater(new Options().setCreateIfMissing(true).setComparator(bytewise));
        RocksDB other = closeLater(RocksDB.open(inner, path("other")));
        for (int i = 0; i < 10; i++) {
            other.put(("key" + i).getBytes(UTF_8), ("" + i).getBytes(UTF_8));
        }
        Nested nested = closeLater(new Nested(shown, other));
        Options outer = closeLater(new Options().setCreateIfMissing(true).setComparator(nested));
        RocksDB db = closeLater(RocksDB.open(outer, path()));
        // Some of them longer than what is copied for a comparator.
        List<String> keys = IntStream.range(0, 300).mapToObj(i -> "%03d".formatted(i * 7 % 300)
                + (i % 3 == 0 ? "x".repeat(300) : "")).toList();
        for (String key : keys) {
            db.put(key.getBytes(UTF_8), key.getBytes(UTF_8));
        }
        assertThat(keys(db)).isEqualTo(keys.stream().sorted().toList());
        for (String key : keys) {
            assertThat(db.get(key.getBytes(UTF_8))).isEqualTo(key.getBytes(UTF_8));
        }
        assertThat(nested.failures).isEmpty();
    }

    @Test
    void aComparatorThatIsClosedEarlyStaysForItsUsers() throws RocksDBException {
        ComparatorOptions shown = new ComparatorOptions();
        Backwards order = new Backwards(shown);
        Options options = new Options().setCreateIfMissing(true).setComparator(order);
        shown.close();
        order.close();
        order.close();
        assertThat(order.isOwningHandle()).isFalse();
        assertThatThrownBy(() -> new Options().setComparator(order)).isInstanceOfAny(AssertionError.class,
                IllegalStateException.class);
        RocksDB db = RocksDB.open(new Options(options), path());
        options.close();
        for (int i = 0; i < 5; i++) {
            System.gc();
            db.put(("key" + i).getBytes(UTF_8), new byte[0]);
        }
        assertThat(keys(db)).hasSize(5);
        db.close();
    }

    /** Orders keys by their bytes; asked for the first time, it gives its place in options to another one. */
    private static final class Replaced extends AbstractComparator {
        private final AtomicInteger calls;
        private @Nullable Options options;

        Replaced(ComparatorOptions shown, @Nullable Options options, AtomicInteger calls) {
            super(shown);
            this.options = options;
            this.calls = calls;
        }

        @Override
        public String name() {
            return "replaced";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            calls.incrementAndGet();
            if (options != null) {
                try (ComparatorOptions shown = new ComparatorOptions();
                        Replaced next = new Replaced(shown, null, new AtomicInteger())) {
                    options.setComparator(next);
                }
                options = null;
            }
            return a.compareTo(b);
        }
    }

    private static RocksDB openReplaced(String path, AtomicInteger calls, boolean replaces) throws RocksDBException {
        try (ComparatorOptions shown = new ComparatorOptions();
                Options options = new Options().setCreateIfMissing(true);
                Replaced order = new Replaced(shown, replaces ? options : null, calls)) {
            return RocksDB.open(options.setComparator(order), path);
        }
    }

    @Tag("verify")
    @Test
    void aDatabaseKeepsTheComparatorThatItWasOpenedWith() throws RocksDBException {
        String path = path();
        try (RocksDB db = openReplaced(path, new AtomicInteger(), false)) {
            for (int i = 0; i < 5; i++) {
                db.put(("key" + i).getBytes(UTF_8), new byte[0]);
            }
        }
        AtomicInteger calls = new AtomicInteger();
        // Its log is read, for which keys are compared, before it is open.
        RocksDB db = closeLater(openReplaced(path, calls, true));
        assertThat(calls.get()).isGreaterThan(0);
        db.put("first".getBytes(UTF_8), new byte[0]);
        for (int i = 0; i < ENDED; i++) {
            System.gc();
            int before = calls.get();
            // Freed memory is taken by another one.
            openReplaced(directory.resolve("other" + i).toString(), new AtomicInteger(), false).close();
            db.put(("more" + i).getBytes(UTF_8), new byte[0]);
            assertThat(calls.get()).isGreaterThan(before);
        }
    }

    @Test
    void aFamilyHasAComparatorOfItsOwn() throws RocksDBException {
        ComparatorOptions shown = closeLater(new ComparatorOptions());
        IntComparator order = closeLater(new IntComparator(shown));
        ColumnFamilyOptions options = closeLater(new ColumnFamilyOptions().setComparator(order));
        RocksDB db = closeLater(RocksDB.open(path()));
        ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(new byte[]{'n'}, options));
        for (int number : new int[]{5, -7, 1 << 30, Integer.MIN_VALUE, 0}) {
            db.put(family, ByteBuffer.allocate(4).putInt(number).array(), new byte[0]);
        }
        List<Integer> numbers = new ArrayList<>();
        try (RocksIterator iterator = db.newIterator(family)) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                numbers.add(ByteBuffer.wrap(iterator.key()).getInt());
            }
        }
        assertThat(numbers).containsExactly(Integer.MIN_VALUE, -7, 0, 5, 1 << 30);
    }

    @Test
    void theComparatorsOfTheJarOrderBytes() {
        ComparatorOptions shown = closeLater(new ComparatorOptions());
        BytewiseComparator up = closeLater(new BytewiseComparator(shown));
        ReverseBytewiseComparator down = closeLater(new ReverseBytewiseComparator(shown));
        ByteBuffer small = ByteBuffer.wrap(new byte[]{1, 2});
        ByteBuffer large = ByteBuffer.wrap(new byte[]{1, (byte) 200});
        ByteBuffer prefix = ByteBuffer.wrap(new byte[]{1});
        assertThat(up.compare(small, large)).isNegative();
        assertThat(up.compare(small, prefix)).isPositive();
        assertThat(up.compare(small, small.duplicate())).isZero();
        assertThat(down.compare(small, large)).isPositive();
        assertThat(down.compare(small, prefix)).isNegative();
        ByteBuffer start = ByteBuffer.wrap(new byte[]{'a', 'b', 'c', 'd'});
        up.findShortestSeparator(start, ByteBuffer.wrap(new byte[]{'a', 'f'}));
        assertThat(start).isEqualTo(ByteBuffer.wrap(new byte[]{'a', 'c'}));
        ByteBuffer last = ByteBuffer.wrap(new byte[]{(byte) 0xff, 'x', 'y'});
        up.findShortSuccessor(last);
        assertThat(last).isEqualTo(ByteBuffer.wrap(new byte[]{(byte) 0xff, 'y'}));
        ByteBuffer reverse = ByteBuffer.wrap(new byte[]{'b', 'c', 'd'});
        down.findShortestSeparator(reverse, ByteBuffer.wrap(new byte[]{'a'}));
        assertThat(reverse).isEqualTo(ByteBuffer.wrap(new byte[]{'b'}));
    }

    @Test
    void optionsOfComparatorsReturnTheSetValues() {
        ComparatorOptions options = new ComparatorOptions();
        assertThat(options.useDirectBuffer()).isTrue();
        assertThat(options.maxReusedBufferSize()).isEqualTo(64);
        assertThat(options.reusedSynchronisationType()).isEqualTo(ReusedSynchronisationType.ADAPTIVE_MUTEX);
        options.setMaxReusedBufferSize(-1).setReusedSynchronisationType(ReusedSynchronisationType.THREAD_LOCAL);
        assertThat(options.maxReusedBufferSize()).isEqualTo(-1);
        assertThat(options.reusedSynchronisationType()).isEqualTo(ReusedSynchronisationType.THREAD_LOCAL);
        options.close();
        assertThatThrownBy(options::useDirectBuffer).isInstanceOfAny(AssertionError.class, IllegalStateException.class);
    }

    private static List<String> keys(RocksDB db) {
        List<String> keys = new ArrayList<>();
        try (RocksIterator iterator = db.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                keys.add(new String(iterator.key(), UTF_8));
            }
        }
        return keys;
    }
}
