package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Event listeners written in Java. */
class EventListenerTest extends DatabaseTest {
    private static final byte[] VALUE = Bytes.random(1, 1000);

    {
        closeLater(new CallbackLog());
    }

    /** Remembers everything. */
    private static class Recording implements EventListener {
        final List<Object> events = new CopyOnWriteArrayList<>();
        final List<String> names = new CopyOnWriteArrayList<>();
        final List<Thread> threads = new CopyOnWriteArrayList<>();

        private void add(String name, Object info) {
            names.add(name);
            events.add(info);
            threads.add(Thread.currentThread());
        }

        <T> List<T> all(String name, Class<T> type) {
            List<T> all = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                if (names.get(i).equals(name)) {
                    all.add(type.cast(events.get(i)));
                }
            }
            return all;
        }

        @Override
        public void onFlushBegin(FlushJobInfo info) {
            add("flush begin", info);
        }

        @Override
        public void onFlushCompleted(FlushJobInfo info) {
            add("flush completed", info);
        }

        @Override
        public void onCompactionBegin(CompactionJobInfo info) {
            add("compaction begin", info);
        }

        @Override
        public void onCompactionCompleted(CompactionJobInfo info) {
            add("compaction completed", info);
        }

        @Override
        public void onSubcompactionBegin(SubcompactionJobInfo info) {
            add("subcompaction begin", info);
        }

        @Override
        public void onSubcompactionCompleted(SubcompactionJobInfo info) {
            add("subcompaction completed", info);
        }

        @Override
        public void onExternalFileIngested(ExternalFileIngestionInfo info) {
            add("external file ingested", info);
        }

        @Override
        public boolean onBackgroundError(BackgroundErrorReason reason, Status status) {
            add("background error", status);
            return false;
        }

        @Override
        public void onStallConditionsChanged(WriteStallInfo info) {
            add("stall conditions changed", info);
        }

        @Override
        public void onMemTableSealed(MemTableInfo info) {
            add("memtable sealed", info);
        }
    }

    private static void fill(RocksDB db, String prefix) {
        for (int i = 0; i < 100; i++) {
            db.put(Bytes.of(prefix + i), VALUE);
        }
        db.delete(Bytes.of(prefix + 7));
    }

    @Test
    void itReceivesFlushes() {
        Recording recording = new Recording();
        try (RocksDB db = open(new Options().addEventListener(recording).compression(CompressionType.NONE))) {
            fill(db, "key");
            db.flush();
        }
        MemTableInfo sealed = recording.all("memtable sealed", MemTableInfo.class).getFirst();
        assertThat(sealed.columnFamilyName()).isEqualTo("default");
        assertThat(sealed.numEntries()).isEqualTo(101);
        assertThat(sealed.numDeletes()).isEqualTo(1);
        assertThat(sealed.firstSeqno()).isEqualTo(1);
        assertThat(sealed.newestUdt().byteSize()).isZero();

        FlushJobInfo begun = recording.all("flush begin", FlushJobInfo.class).getFirst();
        FlushJobInfo completed = recording.all("flush completed", FlushJobInfo.class).getFirst();
        assertThat(begun.jobId()).isEqualTo(completed.jobId());
        assertThat(completed.columnFamilyId()).isZero();
        assertThat(completed.columnFamilyName()).isEqualTo("default");
        assertThat(completed.flushReason()).isEqualTo(FlushReason.MANUAL_FLUSH);
        assertThat(completed.smallestSeqno()).isEqualTo(1);
        assertThat(completed.largestSeqno()).isEqualTo(101);
        assertThat(completed.triggeredWritesStop()).isFalse();
        assertThat(completed.blobFileAdditionInfos()).isEmpty();
        Path file = Path.of(completed.filePath());
        assertThat(file.getParent()).isEqualTo(directory);
        assertThat(file).hasFileName("%06d.sst".formatted(completed.fileNumber()));

        TableProperties properties = completed.tableProperties();
        // The delete hides the entry before it.
        assertThat(properties.numEntries()).isEqualTo(100);
        assertThat(properties.numDeletions()).isEqualTo(1);
        assertThat(properties.rawValueSize()).isEqualTo(99 * 1000);
        assertThat(properties.columnFamilyName()).isEqualTo("default");
        assertThat(properties.comparatorName()).isEqualTo("leveldb.BytewiseComparator");
        assertThat(properties.mergeOperatorName()).isEqualTo("nullptr");
        assertThat(properties.indexKeyIsUserKey()).isTrue();
        assertThat(properties.userCollectedProperties()).containsKey("rocksdb.block.based.table.index.type");
        assertThatThrownBy(() -> properties.readableProperties().put("a", "b"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(recording.threads).anyMatch(thread -> !thread.equals(Thread.currentThread()));
    }

    @Test
    void itReceivesCompactions() {
        Recording recording = new Recording();
        long start = System.nanoTime();
        try (RocksDB db = open(new Options().addEventListener(recording).disableAutoCompactions(true))) {
            fill(db, "a");
            db.flush();
            fill(db, "a");
            db.flush();
            db.compact();
        }
        Duration all = Duration.ofNanos(System.nanoTime() - start);
        CompactionJobInfo begun = recording.all("compaction begin", CompactionJobInfo.class).getFirst();
        CompactionJobInfo completed = recording.all("compaction completed", CompactionJobInfo.class).getFirst();
        assertThat(completed.jobId()).isEqualTo(begun.jobId());
        assertThat(completed.columnFamilyName()).isEqualTo("default");
        assertThat(completed.status()).isNull();
        assertThat(completed.aborted()).isFalse();
        assertThat(completed.compactionReason()).isEqualTo(CompactionReason.MANUAL_COMPACTION);
        assertThat(completed.baseInputLevel()).isZero();
        assertThat(completed.inputFiles()).hasSize(2).allMatch(file -> file.endsWith(".sst"));
        assertThat(completed.outputFiles()).hasSize(1);
        assertThat(completed.inputFileInfos()).hasSize(2).allMatch(file -> file.level() == 0);
        assertThat(completed.outputFileInfos()).singleElement()
                .matches(file -> file.level() == completed.outputLevel());
        assertThat(completed.tableProperties()).containsKeys(completed.outputFiles().getFirst())
                .containsKeys(completed.inputFiles().toArray(String[]::new));
        assertThat(completed.tableProperties()).extractingByKey(completed.outputFiles().getFirst())
                .extracting(TableProperties::numEntries).isEqualTo(99L);
        assertThat(completed.inputRecords()).isEqualTo(200);
        assertThat(completed.outputRecords()).isEqualTo(99);
        assertThat(completed.elapsedTime()).isPositive();
        CompactionJobStats stats = completed.stats();
        assertThat(stats.numInputRecords()).isEqualTo(200);
        assertThat(stats.numOutputRecords()).isEqualTo(99);
        assertThat(stats.isManualCompaction()).isTrue();
        assertThat(stats.isRemoteCompaction()).isFalse();
        assertThat(stats.elapsedTime()).isBetween(Duration.ofNanos(1), all);
        assertThat(text(stats.smallestOutputKeyPrefix())).isEqualTo("a0");

        assertThat(recording.names).containsSubsequence("compaction begin", "subcompaction begin",
                "subcompaction completed", "compaction completed");
        SubcompactionJobInfo part = recording.all("subcompaction completed", SubcompactionJobInfo.class).getFirst();
        assertThat(part.jobId()).isEqualTo(completed.jobId());
        assertThat(part.status()).isNull();
        assertThat(part.stats().numInputRecords()).isEqualTo(200);
    }

    @Test
    void itReceivesBlobFiles() {
        Recording recording = new Recording();
        try (RocksDB db = open(new Options().addEventListener(recording).enableBlobFiles(true).minBlobSize(500))) {
            fill(db, "key");
            db.flush();
        }
        BlobFileAdditionInfo blobs = recording.all("flush completed", FlushJobInfo.class).getFirst()
                .blobFileAdditionInfos().getFirst();
        assertThat(blobs.totalBlobCount()).isEqualTo(99);
        assertThat(blobs.totalBlobBytes()).isGreaterThan(99 * 1000);
        assertThat(Path.of(blobs.blobFilePath())).hasFileName("%06d.blob".formatted(blobs.blobFileNumber()));
    }

    @Test
    void itReceivesStalls() throws InterruptedException {
        CountDownLatch stalled = new CountDownLatch(1);
        Recording recording = new Recording() {
            @Override
            public void onStallConditionsChanged(WriteStallInfo info) {
                super.onStallConditionsChanged(info);
                stalled.countDown();
            }
        };
        try (RocksDB db = open(new Options().addEventListener(recording).disableAutoCompactions(false)
                .level0FileNumCompactionTrigger(2).level0SlowdownWritesTrigger(2).level0StopWritesTrigger(30))) {
            for (int i = 0; i < 5; i++) {
                fill(db, "key");
                db.flush();
            }
            assertThat(stalled.await(60, TimeUnit.SECONDS)).isTrue();
        }
        // Not always as the first: when it is over, another thread may say so sooner.
        assertThat(recording.all("stall conditions changed", WriteStallInfo.class)).anySatisfy(stall -> {
            assertThat(stall.columnFamilyName()).isEqualTo("default");
            assertThat(stall.prev()).isEqualTo(WriteStallCondition.NORMAL);
            assertThat(stall.cur()).isEqualTo(WriteStallCondition.DELAYED);
        });
    }

    /** A compaction fails because its merge operator does. */
    private void failInTheBackground(EventListener listener, boolean isForgotten) {
        AtomicInteger failures = new AtomicInteger(isForgotten ? 1 : Integer.MAX_VALUE);
        MergeFunction operator = NamedCallbacks.merge("test.Failing", (_, _, operands, result) -> {
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("on purpose");
            }
            result.write(operands.getLast());
        });
        try (RocksDB db = open(new Options().addEventListener(listener).mergeOperator(operator)
                .disableAutoCompactions(true))) {
            // More than one key in each file; single ones would be moved, not merged.
            for (String key : List.of("a", "key", "z")) {
                db.put(Bytes.of(key), VALUE);
            }
            db.flush();
            for (String key : List.of("a", "key", "z")) {
                db.merge(Bytes.of(key), VALUE);
            }
            db.flush();
            try {
                db.compact();
            } catch (RocksDBException e) {
                assertThat(e.status().code()).isEqualTo(Status.Code.CORRUPTION);
            } catch (IllegalStateException e) {
                assertThat(isForgotten).isTrue();
                assertThat(e).hasMessageContaining("merge operator test.Failing has thrown");
            }
            if (isForgotten) {
                db.put(Bytes.of("other"), VALUE);
                assertThat(db.get(Bytes.of("other"))).isEqualTo(VALUE);
            } else {
                assertThatThrownBy(() -> db.put(Bytes.of("other"), VALUE)).isInstanceOf(RocksDBException.class);
            }
        }
    }

    @Test
    void itReceivesErrors() {
        Recording recording = new Recording();
        failInTheBackground(recording, false);

        assertThat(recording.all("background error", Status.class)).isNotEmpty()
                .allMatch(status -> status.code() == Status.Code.CORRUPTION);
    }

    @Test
    void itCanHaveErrorsForgotten() {
        Recording recording = new Recording() {
            @Override
            public boolean onBackgroundError(BackgroundErrorReason reason, Status status) {
                super.onBackgroundError(reason, status);
                return true;
            }
        };
        failInTheBackground(recording, true);
        assertThat(recording.all("background error", Status.class)).isNotEmpty();
    }

    @Test
    void aFailingListenerDisturbsNoOtherListener() {
        Recording recording = new Recording() {
            @Override
            public void onFlushCompleted(FlushJobInfo info) {
                super.onFlushCompleted(info);
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void onCompactionCompleted(CompactionJobInfo info) {
                super.onCompactionCompleted(info);
                throw new StackOverflowError("on purpose");
            }
        };
        try (RocksDB db = open(new Options().addEventListener(recording))) {
            fill(db, "key");
            db.flush();
            db.compact();
            assertThat(db.get(Bytes.of("key1"))).isEqualTo(VALUE);
        }
        assertThat(recording.names).contains("flush completed", "compaction completed");
    }

    @Test
    void severalListenersAllReceiveEvents() {
        Recording first = new Recording();
        Recording second = new Recording();
        try (RocksDB db = open(new Options().addEventListener(first).addEventListener(new EventListener() {
        }).addEventListener(second))) {
            fill(db, "key");
            db.flush();
        }
        assertThat(first.names).contains("flush completed").isEqualTo(second.names);
    }

    /** A new callback in the C API must become a method here. */
    @Test
    void thereIsAMethodForEachEvent() {
        List<String> events = Arrays.stream(EventListener.class.getMethods()).map(Method::getName)
                .filter(name -> name.startsWith("on")).map(name -> name.toLowerCase(Locale.ROOT)).toList();
        List<String> callbacks = Arrays.stream(CCallbacks.class.getFields())
                .map(Field::getName).filter(name -> name.startsWith("ON_"))
                .map(name -> name.replace("_CB", "").replace("_", "").toLowerCase(Locale.ROOT)).toList();
        assertThat(events).containsExactlyInAnyOrderElementsOf(callbacks).hasSize(10);
    }
}
