package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.CompactionFilter.Decision;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compaction filters written in Java. */
class CompactionFilterTest extends DatabaseTest {
    /** Removes what begins with "remove", and doubles what begins with "double". */
    private static final CompactionFilter FILTER = (_, key, value, newValue) -> {
        if (text(key).startsWith("remove")) {
            return Decision.REMOVE;
        }
        if (text(key).startsWith("double")) {
            MemorySegment doubled = newValue.allocate(2 * value.byteSize());
            doubled.asSlice(0, value.byteSize()).copyFrom(value);
            doubled.asSlice(value.byteSize()).copyFrom(value);
            return Decision.CHANGE_VALUE;
        }
        return Decision.KEEP;
    };

    {
        closeLater(new CallbackLog());
    }

    private static void put(RocksDB db, String... keys) {
        for (String key : keys) {
            db.put(Bytes.of(key), Bytes.of("value of " + key));
        }
    }

    private static void checkFiltered(RocksDB db) {
        put(db, "a", "remove 1", "double", "remove 2", "z");
        db.flush();
        assertThat(db.get(Bytes.of("remove 1"))).isNotNull();
        db.compact();
        assertThat(db.get(Bytes.of("remove 1"))).isNull();
        assertThat(db.get(Bytes.of("remove 2"))).isNull();
        assertThat(db.get(Bytes.of("double"))).asString().isEqualTo("value of doublevalue of double");
        assertThat(db.get(Bytes.of("a"))).asString().isEqualTo("value of a");
        assertThat(db.get(Bytes.of("z"))).asString().isEqualTo("value of z");
    }

    @Test
    void aFilterRemovesAndChanges() {
        RocksDB db = open(new Options().compactionFilter(FILTER));
        checkFiltered(db);
    }

    @Test
    void aFactoryMakesAFilterForEachCompaction() {
        List<CompactionFilterFactory.Context> contexts = new CopyOnWriteArrayList<>();
        CompactionFilterFactory factory = context -> {
            contexts.add(context);
            return FILTER;
        };
        int before = Callbacks.count();
        RocksDB db = open(new Options().compactionFilterFactory(factory));
        checkFiltered(db);
        assertThat(contexts).isNotEmpty().contains(new CompactionFilterFactory.Context(true, true));
        // Only the factory is left: filters end with their compactions.
        // Callbacks of earlier tests may be collected meanwhile.
        assertThat(Callbacks.count()).isLessThanOrEqualTo(before + 1);
    }

    @Test
    void aFactoryNeedNotMakeOne() {
        RocksDB db = open(new Options().compactionFilterFactory(_ -> null));
        put(db, "remove");
        db.compact();
        assertThat(db.get(Bytes.of("remove"))).isNotNull();
    }

    @Test
    void newValuesAreOfAnySize() {
        for (int size : Bytes.SIZES) {
            byte[] value = Bytes.random(size, size);
            try (RocksDB db = open(new Options().compactionFilter((_, _, _, newValue) -> {
                newValue.write(value);
                return Decision.CHANGE_VALUE;
            }))) {
                put(db, "a", "b");
                db.compact();
                assertThat(db.get(Bytes.of("a"))).isEqualTo(value);
                assertThat(db.get(Bytes.of("b"))).isEqualTo(value);
            }
        }
    }

    @Test
    void entriesAreKeptIfItFails() {
        AtomicInteger calls = new AtomicInteger();
        List<CompactionFilter> failing = List.of((_, _, _, _) -> {
            throw new IllegalStateException("on purpose");
        },
                (_, _, _, newValue) -> {
                    newValue.allocate(10);
                    throw new StackOverflowError("on purpose");
                },
                (_, _, _, _) -> Decision.CHANGE_VALUE,
                (_, _, _, _) -> nothing());
        for (CompactionFilter filter : failing) {
            try (RocksDB db = open(new Options().compactionFilter((level, key, value, newValue) -> {
                calls.incrementAndGet();
                return filter.filter(level, key, value, newValue);
            }))) {
                put(db, "a", "remove", "z");
                assertThatIllegalStateException().isThrownBy(db::compact).withMessageContaining(directory.toString())
                        .withMessageContaining("compaction filter").withMessageContaining("3 times")
                        .withMessageContaining("kept").havingCause();
                assertThat(db.get(Bytes.of("a"))).asString().isEqualTo("value of a");
                assertThat(db.get(Bytes.of("remove"))).asString().isEqualTo("value of remove");
                assertThat(calls.getAndSet(0)).isPositive();
            }
        }
    }

    @SuppressWarnings("NullAway") // what a user's code without such checks can do
    private static Decision nothing() {
        return Objects.requireNonNull(Set.<@Nullable Decision>of().stream().findFirst().orElse(null), "decision");
    }

    @Test
    void everythingIsKeptIfTheFactoryFails() {
        AtomicInteger calls = new AtomicInteger();
        try (RocksDB db = open(new Options().compactionFilterFactory(_ -> {
            calls.incrementAndGet();
            throw new IllegalStateException("on purpose");
        }))) {
            put(db, "remove");
            assertThatIllegalStateException().isThrownBy(db::compact).withMessageContaining("factory")
                    .havingCause().withMessage("on purpose");
            assertThat(db.get(Bytes.of("remove"))).isNotNull();
            assertThat(calls).hasPositiveValue();
        }
    }

    @Test
    void compactThrowsFailures() {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>(new IllegalArgumentException("on purpose"));
        RocksDB db = open(new Options().compactionFilter(failing(thrown)));
        RocksDB other = closeLater(RocksDB.open(directory.resolve("other"),
                create().compactionFilter((_, _, _, _) -> Decision.KEEP)));
        ColumnFamily users = db.createColumnFamily("users", new Options().compactionFilter(failing(thrown)));
        put(db, "a");
        users.put(Bytes.of("a"), Bytes.of("a"));
        put(other, "a");
        assertThatIllegalStateException().isThrownBy(() -> db.compact(KeyRange.all())).havingCause()
                .isSameAs(thrown.get());
        assertThatIllegalStateException().isThrownBy(() -> users.compact(new CompactRangeOptions()))
                .withMessageContaining("users").havingCause().isSameAs(thrown.get());
        other.compact();
        put(db, "b");
        db.flush();
        List<Path> files = db.liveFiles().stream().filter(each -> each.columnFamily().equals("default"))
                .map(LiveFile::path).toList();
        assertThatThrownBy(() -> db.compactFiles(files, 6, new CompactionOptions())).isSameAs(thrown.get());

        // It is mended.
        thrown.set(null);
        put(db, "c");
        db.compact();
    }

    private static CompactionFilter failing(AtomicReference<@Nullable Throwable> thrown) {
        return (_, _, _, _) -> {
            if (thrown.get() instanceof RuntimeException e) {
                throw e;
            }
            return Decision.REMOVE;
        };
    }

    @Test
    void aFailedMergeIsTheCause() {
        MergeFunction failing = NamedCallbacks.merge("test.Failing", (_, _, _, _) -> {
            throw new IllegalStateException("on purpose");
        });
        RocksDB db = open(new Options().mergeOperator(failing));
        put(db, "a", "m", "z");
        db.flush();
        db.merge(Bytes.of("m"), Bytes.of("operand"));
        assertThatThrownBy(db::compact).isInstanceOf(RocksDBException.class).hasRootCauseMessage("on purpose");
    }

    @Test
    void segmentsThatItKeepsAreUnusableAfterwards() {
        Set<MemorySegment> kept = ConcurrentHashMap.newKeySet();
        List<ValueSink> sinks = new CopyOnWriteArrayList<>();
        try (RocksDB db = open(new Options().compactionFilter((_, key, value, newValue) -> {
            kept.add(key);
            kept.add(value);
            sinks.add(newValue);
            return Decision.KEEP;
        }))) {
            put(db, "a");
            db.compact();
            assertThat(kept).hasSize(2).allSatisfy(segment -> {
                assertThat(segment.isReadOnly()).isTrue();
                assertThat(segment.scope().isAlive()).isFalse();
                assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(RuntimeException.class);
            });
            assertThatThrownBy(() -> sinks.getFirst().allocate(1)).isInstanceOf(RuntimeException.class);
        }
    }

    @Test
    void itsNameMustBeStorable() {
        CompactionFilter filter = new CompactionFilter() {
            @Override
            public Decision filter(int level, MemorySegment key, MemorySegment value, ValueSink newValue) {
                return Decision.KEEP;
            }

            @Override
            public String name() {
                return "a;b";
            }
        };
        assertThatIllegalArgumentException().isThrownBy(() -> new Options().compactionFilter(filter))
                .withMessageContaining("a;b");
    }
}
