package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Compaction services run compactions elsewhere, here in other threads of this process. */
class CompactionServiceTest extends DatabaseTest {
    {
        closeLater(new CallbackLog());
    }

    private Path database() {
        return directory.resolve("db");
    }

    /** Does each job in a thread of its own. */
    private class Remote implements CompactionService {
        final Map<String, CompletableFuture<byte[]>> jobs = new ConcurrentHashMap<>();
        final List<CompactionServiceJobInfo> infos = new CopyOnWriteArrayList<>();
        final List<String> installed = new CopyOnWriteArrayList<>();

        @Override
        public Scheduled schedule(CompactionServiceJobInfo info, byte[] input) {
            infos.add(info);
            String id = "job-" + infos.size();
            jobs.put(id, CompletableFuture.supplyAsync(() -> work(id, input)));
            return Scheduled.as(id);
        }

        byte[] work(String id, byte[] input) {
            return RemoteCompaction.run(database(), directory.resolve(id), input,
                    CompactionServiceOptionsOverride.of(options()).option("max_open_files", "50"),
                    new OpenAndCompactOptions());
        }

        @Override
        public CompactionServiceJobStatus waitFor(String jobId, ValueSink result) {
            try {
                result.write(Objects.requireNonNull(jobs.get(jobId)).get());
                return CompactionServiceJobStatus.SUCCESS;
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void onInstallation(String jobId, CompactionServiceJobStatus status) {
            installed.add(jobId + " " + status);
        }
    }

    private static Options options() {
        return create().disableAutoCompactions(true).comparator(comparator());
    }

    private static KeyComparator comparator() {
        return KeyComparator.of("test.Reverse", (a, b) -> text(b).compareTo(text(a)));
    }

    private RocksDB fill(CompactionService service) {
        RocksDB db = RocksDB.open(database(), options().compactionService(service));
        for (int file = 0; file < 3; file++) {
            for (int i = 0; i < 100; i++) {
                db.put(Bytes.of("key " + i), Bytes.of("value " + file));
            }
            db.flush();
        }
        return db;
    }

    private static void check(RocksDB db) {
        List<String> keys = new ArrayList<>();
        db.scan((key, value) -> {
            assertThat(text(value)).isEqualTo("value 2");
            return keys.add(text(key));
        });
        assertThat(keys).hasSize(100).startsWith("key 99").endsWith("key 0");
    }

    @Test
    void aCompactionIsDoneByAWorker() {
        Remote remote = new Remote();
        try (RocksDB db = fill(remote)) {
            db.compact();
            check(db);
            CompactionServiceJobInfo info = remote.infos.getFirst();
            assertThat(info.dbName()).isEqualTo(db.path().toString());
            assertThat(info.columnFamilyName()).isEqualTo("default");
            assertThat(info.isManualCompaction()).isTrue();
            assertThat(info.compactionReason()).isEqualTo(CompactionReason.MANUAL_COMPACTION);
            assertThat(remote.installed).first().asString().startsWith("job-1 SUCCESS");
        }
        RocksDB db = closeLater(RocksDB.open(database(), options()));
        check(db);
    }

    @Test
    void theServiceMayLeaveItToTheDatabase() {
        for (boolean first : new boolean[]{true, false}) {
            Remote remote = new Remote() {
                @Override
                public Scheduled schedule(CompactionServiceJobInfo info, byte[] input) {
                    return first ? Scheduled.locally() : super.schedule(info, input);
                }

                @Override
                public CompactionServiceJobStatus waitFor(String jobId, ValueSink result) {
                    return CompactionServiceJobStatus.USE_LOCAL;
                }
            };
            try (RocksDB db = fill(remote)) {
                db.compact();
                check(db);
                // The database was not waiting for these jobs, so it may have deleted the files they read.
                remote.jobs.values().forEach(job -> job.handle((result, failure) -> result).join());
            }
        }
    }

    @Test
    void aFailingServiceFailsTheCompaction() {
        Remote failing = new Remote() {
            @Override
            public Scheduled schedule(CompactionServiceJobInfo info, byte[] input) {
                throw new IllegalStateException("on purpose");
            }
        };
        try (RocksDB db = fill(failing)) {
            assertThatThrownBy(db::compact).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("failed to schedule");
            check(db);
        }
        Remote failingLater = new Remote() {
            @Override
            public Scheduled schedule(CompactionServiceJobInfo info, byte[] input) {
                return Scheduled.as("job");
            }

            @Override
            public CompactionServiceJobStatus waitFor(String jobId, ValueSink result) {
                result.allocate(100);
                throw new IllegalStateException("on purpose");
            }
        };
        RocksDB db = closeLater(fill(failingLater));
        assertThatThrownBy(db::compact).isInstanceOf(RocksDBException.class);
        check(db);
    }

    @Test
    void aWorkerCanBeGivenEachObjectByItself() {
        List<String> names = new CopyOnWriteArrayList<>();
        Remote remote = new Remote() {
            @Override
            byte[] work(String id, byte[] input) {
                CompactionServiceOptionsOverride override = new CompactionServiceOptionsOverride()
                        .comparator(comparator()).addEventListener(new EventListener() {
                            @Override
                            public void onSubcompactionCompleted(SubcompactionJobInfo info) {
                                names.add("listener");
                            }
                        }).infoLog((_, _) -> names.add("logger"), InfoLogLevel.INFO)
                        .compactionFilter((_, _, _, _) -> {
                            names.add("filter");
                            return CompactionFilter.Decision.KEEP;
                        });
                return RemoteCompaction.run(database(), directory.resolve(id), input, override,
                        new OpenAndCompactOptions());
            }
        };
        try (RocksDB db = fill(remote)) {
            db.compact();
            check(db);
        }
        assertThat(names).contains("listener", "logger", "filter");
        assertThat(remote.infos).isNotEmpty();
    }

    /** A worker does not check them: it crashes, or writes files that cannot be read. */
    @Test
    void tablesThatCannotBeWrittenAreRefused() {
        BlockBasedTableOptions hash = new BlockBasedTableOptions().indexType(IndexType.HASH_SEARCH);
        CompactionServiceOptionsOverride override = new CompactionServiceOptionsOverride();
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(() -> override.blockBasedTableFactory(hash))
                .withMessageContaining("prefix_extractor");
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> override.blockBasedTableFactory(new BlockBasedTableOptions().formatVersion(8)))
                .withMessageContaining("format_version");
        Options options = new Options().blockBasedTableFactory(hash);
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> CompactionServiceOptionsOverride.of(options))
                .withMessageContaining("prefix_extractor");
        override.prefixExtractor(SliceTransform.fixedPrefix(1)).blockBasedTableFactory(hash);
        CompactionServiceOptionsOverride.of(options.prefixExtractor(SliceTransform.noop()))
                .blockBasedTableFactory(hash);
        override.blockBasedTableFactory(new BlockBasedTableOptions().blockAlign(true));
    }

    @Test
    void aWorkerRefusesMalformedInput() {
        fill(new Remote()).close();
        for (byte[] input : new byte[][]{{}, {1, 2, 3}, Bytes.of("not for you"), new byte[1000]}) {
            assertThatThrownBy(() -> RemoteCompaction.run(database(), directory.resolve("out"), input,
                    CompactionServiceOptionsOverride.of(options()), new OpenAndCompactOptions()))
                    .isInstanceOf(RocksDBException.class);
        }
        CompactionServiceOptionsOverride override = new CompactionServiceOptionsOverride();
        assertThatIllegalArgumentException().isThrownBy(() -> RemoteCompaction.run(database(), Path.of("a\0b"),
                new byte[0], override, new OpenAndCompactOptions()));
    }

    @Test
    void aWorkerCanBeCanceled() {
        Remote remote = new Remote() {
            @Override
            byte[] work(String id, byte[] input) {
                Cancellation cancellation = new Cancellation();
                cancellation.cancel();
                assertThatThrownBy(() -> RemoteCompaction.run(database(), directory.resolve(id), input,
                        CompactionServiceOptionsOverride.of(options()),
                        new OpenAndCompactOptions().canceled(cancellation))).isInstanceOf(RocksDBException.class);
                return super.work(id + "-again", input);
            }
        };
        try (RocksDB db = fill(remote)) {
            db.compact();
            check(db);
        }
        assertThat(remote.jobs.values()).isNotEmpty().noneMatch(CompletableFuture::isCompletedExceptionally);
    }
}
