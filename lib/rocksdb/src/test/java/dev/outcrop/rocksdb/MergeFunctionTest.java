package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Merge operators written in Java. */
class MergeFunctionTest extends DatabaseTest {
    {
        closeLater(new CallbackLog());
    }

    /** Joins with a bar; what is unusual is overridden in the tests. */
    private static class Joining implements MergeFunction {
        final AtomicInteger fullMerges = new AtomicInteger();
        final AtomicInteger partialMerges = new AtomicInteger();

        @Override
        public String name() {
            return "test.Joining";
        }

        @Override
        public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
                ValueSink result) {
            fullMerges.incrementAndGet();
            String merged = (existing == null ? "" : text(existing) + "|") + join(operands);
            result.write(Bytes.of(merged));
        }

        @Override
        public boolean partialMerge(MemorySegment key, List<MemorySegment> operands, ValueSink result) {
            partialMerges.incrementAndGet();
            result.write(Bytes.of(join(operands)));
            return true;
        }

        static String join(List<MemorySegment> operands) {
            return operands.stream().map(DatabaseTest::text).collect(Collectors.joining("|"));
        }
    }

    private RocksDB open(MergeFunction function) {
        return RocksDB.open(directory, create().mergeOperator(function));
    }

    private static void merge(RocksDB db, String... operands) {
        for (String operand : operands) {
            db.merge(KEY, Bytes.of(operand));
        }
    }

    @Test
    void operandsAreAppliedToTheValueInMemoryInFilesAndAfterReopening() {
        Joining joining = new Joining();
        try (RocksDB db = open(joining)) {
            merge(db, "a", "b");
            for (ReadForm form : ReadForm.values()) {
                assertThat(form.read(db, KEY)).as(form.name()).asString().isEqualTo("a|b");
            }
            db.put(KEY, Bytes.of("new"));
            merge(db, "c", "d");
            assertThat(db.get(KEY)).asString().isEqualTo("new|c|d");
            db.flush();
            merge(db, "e");
            db.flush();
            merge(db, "f");
            assertThat(db.get(KEY)).asString().isEqualTo("new|c|d|e|f");
            db.compact();
            assertThat(db.get(KEY)).asString().isEqualTo("new|c|d|e|f");
        }
        try (RocksDB db = open(joining)) {
            assertThat(db.get(KEY)).asString().isEqualTo("new|c|d|e|f");
        }
        assertThat(joining.fullMerges).hasPositiveValue();
    }

    @Test
    void operandsAreCombinedWithoutTheValue() {
        Joining joining = new Joining();
        RocksDB db = closeLater(open(joining));
        db.put(KEY, Bytes.of("value"));
        db.flush();
        // Below the value's file, so that compacting the two others does not see the value.
        db.compact();
        joining.fullMerges.set(0);
        merge(db, "a", "b", "c");
        db.flush();
        assertThat(joining.partialMerges).hasPositiveValue();
        assertThat(joining.fullMerges).hasValue(0);
        assertThat(db.get(KEY)).asString().isEqualTo("value|a|b|c");
    }

    @Test
    void withoutAPartialMergeOperandsAreKept() {
        MergeFunction keeping = new Joining() {
            @Override
            public boolean partialMerge(MemorySegment key, List<MemorySegment> operands, ValueSink result) {
                result.write(Bytes.of("not used, because the answer is false"));
                return false;
            }
        };
        RocksDB db = closeLater(open(keeping));
        db.put(KEY, Bytes.of("value"));
        db.compact();
        merge(db, "a", "b", "c");
        db.flush();
        assertThat(db.get(KEY)).asString().isEqualTo("value|a|b|c");
        db.compact();
        assertThat(db.get(KEY)).asString().isEqualTo("value|a|b|c");
    }

    @Test
    void resultsAreOfAnySize() {
        for (int size : Bytes.SIZES) {
            byte[] value = Bytes.random(size, size);
            MergeFunction last = new Joining() {
                @Override
                public boolean partialMerge(MemorySegment key, List<MemorySegment> operands, ValueSink result) {
                    return false;
                }

                @Override
                public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
                        ValueSink result) {
                    result.write(operands.getLast());
                }
            };
            try (RocksDB db = open(last)) {
                db.merge(KEY, Bytes.of("before"));
                db.merge(KEY, value);
                assertThat(db.get(KEY)).isEqualTo(value);
                db.compact();
                assertThat(db.get(KEY)).isEqualTo(value);
            }
        }
    }

    @Test
    void aFailureIsCorruptionAndTheExceptionReachesTheCaller() {
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        MergeFunction failing = new Joining() {
            @Override
            public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
                    ValueSink result) {
                RuntimeException thrown = failure.get();
                if (thrown != null) {
                    result.allocate(1000); // to be freed
                    throw thrown;
                }
                super.fullMerge(key, existing, operands, result);
            }
        };
        RocksDB db = closeLater(open(failing));
        merge(db, "a", "b");
        failure.set(new IllegalStateException("on purpose"));
        for (ReadForm form : ReadForm.values()) {
            Throwable thrown = catchThrowable(() -> form.read(db, KEY));
            assertThat(thrown).as(form.name()).isSameAs(failure.get());
        }
        assertThat(Objects.requireNonNull(failure.get()).getSuppressed()).singleElement()
                .isInstanceOfSatisfying(RocksDBException.class, e -> assertThat(e.status().code())
                        .isEqualTo(Status.Code.CORRUPTION));
        assertThatThrownBy(() -> db.scan((_, _) -> true)).isSameAs(failure.get());

        failure.set(null);
        assertThat(db.get(KEY)).asString().isEqualTo("a|b");
    }

    @Test
    void aFailureInTheBackgroundStopsTheDatabase() {
        MergeFunction failing = new Joining() {
            @Override
            public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
                    ValueSink result) {
                throw new IllegalStateException("on purpose");
            }
        };
        try (RocksDB db = open(failing)) {
            db.put(KEY, Bytes.of("value"));
            merge(db, "a", "b");
            assertThatThrownBy(db::flush).isInstanceOfSatisfying(RocksDBException.class,
                    e -> assertThat(e.status().code()).isEqualTo(Status.Code.CORRUPTION));
        }
        RocksDB db = closeLater(open(new Joining()));
        assertThat(db.get(KEY)).asString().isEqualTo("value|a|b");
    }

    @Test
    void aMergeMustGiveAResult() {
        MergeFunction silent = new Joining() {
            @Override
            public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
                    ValueSink result) {
            }
        };
        RocksDB db = closeLater(open(silent));
        merge(db, "a");
        assertThatThrownBy(() -> db.get(KEY)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("without a new value");
    }

    @Test
    void segmentsThatItKeepsAreUnusableAfterwards() {
        List<MemorySegment> segments = new ArrayList<>();
        List<List<MemorySegment>> lists = new ArrayList<>();
        List<ValueSink> sinks = new ArrayList<>();
        MergeFunction keeping = new Joining() {
            @Override
            public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
                    ValueSink result) {
                assertThat(key.isReadOnly()).isTrue();
                assertThat(operands).hasSize(2).allMatch(MemorySegment::isReadOnly);
                assertThatThrownBy(() -> operands.get(2)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatIllegalArgumentException().isThrownBy(() -> result.allocate(-1));
                assertThatIllegalArgumentException().isThrownBy(() -> result.allocate((3L << 30) + 1));
                lists.add(operands);
                sinks.add(result);
                segments.addAll(operands);
                segments.add(key);
                segments.add(result.allocate(1).fill((byte) 'x'));
                assertThatThrownBy(() -> result.write(key)).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("already");
            }
        };
        RocksDB db = closeLater(open(keeping));
        merge(db, "a", "b");
        assertThat(db.get(KEY)).asString().isEqualTo("x");
        assertThat(segments).hasSize(4)
                .allSatisfy(segment -> assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
                        .isInstanceOf(IllegalStateException.class));
        assertThatThrownBy(() -> lists.getFirst().getFirst()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> sinks.getFirst().write(KEY)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("returned");
        assertThatThrownBy(() -> sinks.getFirst().allocate(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theSinkBelongsToItsThread() {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        MergeFunction sharing = new Joining() {
            @Override
            public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
                    ValueSink result) {
                Thread other = Thread.ofPlatform().start(() -> thrown.set(catchThrowable(() -> result.allocate(1))));
                try {
                    other.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                super.fullMerge(key, existing, operands, result);
            }
        };
        RocksDB db = closeLater(open(sharing));
        merge(db, "a");
        assertThat(db.get(KEY)).asString().isEqualTo("a");
        assertThat(thrown.get()).isInstanceOf(WrongThreadException.class);
    }

    @Test
    void aDatabaseWithItsMergesIsNotOpenedWithoutAnOperator() {
        try (RocksDB db = open(new Joining())) {
            merge(db, "a");
        }
        assertThatThrownBy(() -> RocksDB.open(directory)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("test.Joining");
        Options other = new Options().mergeOperator(MergeOperator.STRING_APPEND).mergeOperator(new Joining())
                .set("max_open_files=100");
        RocksDB db = closeLater(RocksDB.open(directory, other));
        assertThat(db.get(KEY)).asString().isEqualTo("a");
    }

    @Test
    void itsNameMustBeStorable() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Options().mergeOperator(new Joining() {
            @Override
            public String name() {
                return "a=b";
            }
        })).withMessageContaining("a=b").withMessageContaining("merge operator");
    }
}
