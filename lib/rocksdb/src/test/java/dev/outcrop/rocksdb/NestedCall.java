package dev.outcrop.rocksdb;

import static dev.outcrop.rocksdb.NestedWorld.KEY;
import static dev.outcrop.rocksdb.NestedWorld.LARGE;
import static dev.outcrop.rocksdb.NestedWorld.MERGED;
import static dev.outcrop.rocksdb.NestedWorld.VALUE;
import static dev.outcrop.rocksdb.NestedWorld.expect;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call of the API, to be made from outside or from inside a callback.
 *
 * @param name    what it is
 * @param prepare makes what it needs, before, and gives the call itself, which checks its result
 */
record NestedCall(String name, Prepare prepare) {
    private static final MemorySegment KEY_SEGMENT = MemorySegment.ofArray(KEY);

    /** Makes a call. */
    interface Prepare {
        Run in(NestedWorld world) throws Exception;
    }

    /** The call itself. */
    interface Run {
        void run() throws Exception;
    }

    /** The list of calls. */
    static final class All {
        private final List<NestedCall> calls = new ArrayList<>();

        void add(String name, Prepare prepare) {
            calls.add(new NestedCall(name, prepare));
        }

        /** One that needs no preparation. */
        void plain(String name, Simple call) {
            add(name, world -> () -> call.run(world));
        }
    }

    /** A call that needs no preparation. */
    interface Simple {
        void run(NestedWorld world) throws Exception;
    }

    /** Actions outside of callbacks, and inside. */
    static List<NestedCall> all(NestedWorld.Variant variant) {
        All all = new All();
        if (variant == NestedWorld.Variant.PLAIN) {
            reads(all);
            iterators(all);
            writes(all);
            batches(all);
            work(all);
            looks(all);
            NestedOpenings.add(all);
        } else {
            all.plain("get", world -> expect(world.reader().get(KEY)));
            all.plain("put", world -> world.writer().put(Bytes.of("w1"), VALUE));
            all.plain("write", world -> world.db().write(batch()));
            all.plain("flush", world -> world.db().flush());
            NestedTransactions.add(all);
        }
        return all.calls;
    }

    /** Actions inside callbacks only. */
    static List<NestedCall> inside() {
        All all = new All();
        all.add("snapshot.close", world -> world.later(world.db().snapshot())::close);
        all.add("iterator.close", world -> world.later(world.reader().iterator())::close);
        all.add("pinned slice close", world -> {
            PinnedSlice slice = Objects.requireNonNull(world.reader().getPinned(KEY));
            world.later(slice);
            return onThisThread(() -> {
                expect(slice.segment().mismatch(MemorySegment.ofArray(VALUE)) < 0, "the value is the same");
                slice.close();
            });
        });
        all.add("values of multiGet close", world -> {
            MultiGet request = world.later(world.reader().multiGet());
            return onThisThread(world.later(request.add(KEY).execute())::close);
        });
        all.add("values of multiGet look", world -> {
            MultiGet request = world.later(world.reader().multiGet());
            MultiGetValues values = world.later(request.add(KEY).execute());
            return onThisThread(() -> expect(values.array(0)));
        });
        all.plain("close the database", world -> {
            world.db().close();
            throw new AssertionError("It could be closed");
        });
        all.plain("elsewhere get", world -> expect(world.elsewhere().get(KEY)));
        all.plain("elsewhere iterate", world -> {
            try (KeyValueIterator iterator = world.elsewhere().iterator()) {
                expect(iterator.seek(KEY), "there is an entry");
            }
        });
        all.plain("elsewhere put, flush", world -> {
            world.elsewhere().put(Bytes.of("w"), VALUE);
            world.elsewhere().flush();
            expect(world.elsewhere().get(Bytes.of("w")));
        });
        all.plain("elsewhere compact", world -> world.elsewhere().compact());
        all.plain("path, names, toString", world -> {
            expect(world.db().path().toString().length() > 0, "there is a path");
            expect(world.db().toString().contains("database"), "it is called a database");
            expect(world.other().name().equals("other"), "the family has its name");
            expect(world.db().columnFamilies().size() >= 2, "there are two families");
        });
        all.plain("backup of elsewhere", world -> {
            expect(world.engine.create(world.elsewhere()) > 1, "it is not the first");
        });
        return all.calls;
    }

    /** A call that others may not make. */
    private static Run onThisThread(Run call) {
        Thread thread = Thread.currentThread();
        return () -> {
            try {
                call.run();
            } catch (WrongThreadException e) {
                expect(!thread.equals(Thread.currentThread()), "it is another thread");
            }
        };
    }

    private static void reads(All all) {
        all.plain("get", world -> expect(world.reader().get(KEY)));
        all.plain("get segment", world -> expect(world.reader().get(KEY_SEGMENT)));
        all.plain("get into", world -> {
            byte[] buffer = new byte[VALUE.length];
            expect(world.reader().get(KEY, buffer) == VALUE.length, "the size is right");
            expect(buffer);
        });
        all.plain("getPinned", world -> {
            try (PinnedSlice slice = Objects.requireNonNull(world.reader().getPinned(KEY_SEGMENT))) {
                expect(slice.size() == VALUE.length, "the size is right");
            }
        });
        all.plain("getPinned function",
                world -> expect(Objects.equals(world.reader().getPinned(KEY_SEGMENT, MemorySegment::byteSize),
                        (long) VALUE.length), "the size is right"));
        all.plain("getHybrid", world -> {
            try (Arena arena = Arena.ofConfined();
                    PinnedSlice slice = Objects
                            .requireNonNull(world.reader().getHybrid(KEY_SEGMENT, arena.allocate(1000)))) {
                expect(slice.size() == VALUE.length, "the size is right");
            }
        });
        all.plain("get of the other family", world -> expect(world.otherReader().get(KEY)));
        all.plain("getPinned of the other family", world -> {
            try (PinnedSlice slice = Objects.requireNonNull(world.otherReader().getPinned(KEY_SEGMENT))) {
                expect(slice.size() == VALUE.length, "the size is right");
            }
        });
        all.add("get merged", world -> {
            world.merge(world.writer());
            return () -> expectMerged(world, world.reader().get(MERGED));
        });
        all.add("getPinned merged", world -> {
            world.merge(world.writer());
            return () -> expectMerged(world,
                    world.reader().getPinned(MemorySegment.ofArray(MERGED), value -> value.toArray(
                            ValueLayout.JAVA_BYTE)));
        });
        all.add("multiGet merged", world -> {
            world.merge(world.writer());
            return () -> expectMerged(world, world.reader().multiGet(List.of(KEY, MERGED)).getLast());
        });
        all.add("scan merged", world -> {
            world.merge(world.writer());
            return () -> world.reader().scan(KeyRange.to(NestedWorld.FAILING), (_, _) -> true);
        });
        all.add("keyMayExist merged", world -> {
            world.merge(world.writer());
            // With timestamps there is none.
            return () -> expect(world.reader().keyMayExist(MERGED) || world.kind.hasTimestamps(), "it may exist");
        });
        all.plain("multiGet", world -> {
            List<byte @Nullable []> values = world.reader().multiGet(List.of(Bytes.of("r7"), KEY, Bytes.of("r1")));
            expect(values.size() == 3, "there are three");
            values.forEach(NestedWorld::expect);
        });
        all.plain("multiGet of two families", world -> {
            try (MultiGet request = world.reader().multiGet().add(KEY).add(world.other(), Bytes.of("r2"));
                    MultiGetValues values = request.execute()) {
                expect(values.array(0));
                expect(values.array(1));
            }
        });
        all.plain("keyMayExist", world -> expect(world.reader().keyMayExist(KEY), "it may exist"));
        all.plain("keyMayExist of a missing key", world -> {
            boolean _ = world.reader().keyMayExist(Bytes.of("s"));
        });
        all.plain("keyMayExist into", world -> {
            long _ = world.reader().keyMayExist(KEY, new byte[VALUE.length]);
        });
    }

    static void expectMerged(NestedWorld world, byte @Nullable [] value) {
        expect(world.kind.hasTimestamps()
                || Arrays.equals(Arrays.copyOf(Objects.requireNonNull(value), VALUE.length), VALUE),
                "the merged value begins as it must");
    }

    private static void iterators(All all) {
        all.plain("iterator", world -> world.reader().iterator().close());
        all.plain("iterator of a range",
                world -> world.reader().iterator(KeyRange.of(Bytes.of("r2"), Bytes.of("r6"))).close());
        all.add("iterator.seek", world -> {
            KeyValueIterator iterator = world.later(world.reader().iterator());
            return () -> {
                expect(iterator.seek(KEY), "there is an entry");
                expect(iterator.entry().value());
            };
        });
        all.add("iterator.next", world -> {
            KeyValueIterator iterator = world.later(world.reader().iterator());
            expect(iterator.seek(KEY), "there is an entry");
            return () -> expect(iterator.next(), "there is a next one");
        });
        all.add("iterator.previous", world -> {
            KeyValueIterator iterator = world.later(world.reader().iterator());
            expect(iterator.seekForPrev(KEY), "there is an entry");
            return () -> expect(iterator.previous(), "there is one before");
        });
        all.add("iterator.seekToFirst", world -> {
            KeyValueIterator iterator = world.later(world.reader().iterator());
            return () -> expect(iterator.seekToFirst() && iterator.isValid(), "there is a first one");
        });
        all.add("iterator.refresh", world -> {
            KeyValueIterator iterator = world.later(world.reader().iterator());
            return iterator::refresh;
        });
        all.add("iterator.value", world -> {
            KeyValueIterator iterator = world.later(world.reader().iterator());
            expect(iterator.seek(KEY), "there is an entry");
            return () -> {
                expect(iterator.value().byteSize() == VALUE.length, "the size is right");
                iterator.detach();
            };
        });
        all.plain("iterators", world -> world.db()
                .iterators(List.of(world.db().defaultColumnFamily(), world.other()), world.readOptions())
                .forEach(KeyValueIterator::close));
        all.plain("scan", world -> {
            int[] count = {0};
            world.reader().scan(KeyRange.of(Bytes.of("r2"), Bytes.of("r6")), (_, _) -> ++count[0] > 0);
            expect(count[0] == 4, "there are four");
        });
        all.plain("stream", world -> {
            try (var stream = world.reader().stream(KeyRange.of(Bytes.of("r2"), Bytes.of("r6")))) {
                expect(stream.count() == 4, "there are four");
            }
        });
    }

    private static WriteBatch batch() {
        WriteBatch batch = new WriteBatch();
        batch.put(Bytes.of("w2"), VALUE);
        batch.put(Bytes.of("w1"), VALUE);
        batch.delete(Bytes.of("w3"));
        return batch;
    }

    private static void writes(All all) {
        all.plain("put", world -> world.writer().put(Bytes.of("w1"), VALUE));
        all.add("put into a full memtable", world -> {
            world.writer().put(Bytes.of("w9"), LARGE);
            return () -> world.writer().put(Bytes.of("w1"), VALUE);
        });
        all.plain("merge", world -> world.writer().merge(Bytes.of("w4"), VALUE));
        all.add("merge that is applied", world -> {
            world.otherWriter().put(Bytes.of("w4"), VALUE);
            world.otherWriter().merge(Bytes.of("w4"), VALUE);
            return () -> world.otherWriter().merge(Bytes.of("w4"), VALUE);
        });
        all.add("merge that is applied, in a batch", world -> {
            world.otherWriter().put(Bytes.of("w4"), VALUE);
            world.otherWriter().merge(Bytes.of("w4"), VALUE);
            WriteBatch batch = batch();
            batch.in(world.other()).merge(Bytes.of("w4"), VALUE);
            return () -> world.db().write(batch);
        });
        all.plain("delete", world -> world.writer().delete(Bytes.of("w1")));
        all.plain("singleDelete", world -> world.writer().singleDelete(Bytes.of("w8")));
        all.plain("deleteRange", world -> world.writer().deleteRange(Bytes.of("w1"), Bytes.of("w3")));
        all.plain("put in the other family", world -> world.otherWriter().put(Bytes.of("w1"), VALUE));
        all.add("write", world -> {
            WriteBatch batch = batch();
            return () -> world.db().write(batch);
        });
        all.add("write to two families", world -> {
            WriteBatch batch = batch();
            batch.in(world.other()).put(Bytes.of("w1"), VALUE);
            return () -> world.db().write(batch);
        });
        all.plain("flushWal", world -> world.db().flushWal(true));
    }

    private static void batches(All all) {
        all.plain("build a batch", world -> {
            WriteBatch batch = batch();
            batch.in(world.other()).put(Bytes.of("w1"), VALUE);
            expect(batch.count() == 4, "there are four");
        });
        all.plain("new batch with index", world -> new WriteBatchWithIndex(world.db(), true).close());
        all.add("batch with index: put", world -> {
            WriteBatchWithIndex batch = indexed(world);
            return () -> batch.put(Bytes.of("w2"), VALUE);
        });
        all.add("batch with index: getFromBatch", world -> {
            WriteBatchWithIndex batch = indexed(world);
            return () -> expect(batch.getFromBatch(Bytes.of("w1")));
        });
        all.add("batch with index: getFromBatchAndDB", world -> {
            WriteBatchWithIndex batch = indexed(world);
            return () -> expect(batch.getFromBatchAndDB(KEY));
        });
        all.add("batch with index: merged", world -> {
            WriteBatchWithIndex batch = indexed(world);
            batch.merge(MERGED, VALUE);
            return () -> expectMerged(world, batch.getFromBatchAndDB(MERGED));
        });
        all.add("batch with index: iterator", world -> {
            WriteBatchWithIndex batch = indexed(world);
            return () -> {
                try (KeyValueIterator iterator = batch.iteratorFromBatchAndDB()) {
                    expect(iterator.seek(KEY), "there is an entry");
                }
            };
        });
        all.add("batch with index: roll back", world -> {
            WriteBatchWithIndex batch = indexed(world);
            batch.setSavePoint();
            batch.put(Bytes.of("w3"), VALUE);
            return batch::rollbackToSavePoint;
        });
        all.add("batch with index: close", world -> indexed(world)::close);
        all.add("batch with index: write", world -> {
            WriteBatchWithIndex batch = indexed(world);
            return () -> world.db().write(batch);
        });
    }

    private static WriteBatchWithIndex indexed(NestedWorld world) {
        WriteBatchWithIndex batch = world.later(new WriteBatchWithIndex(world.db(), true));
        batch.put(Bytes.of("w5"), VALUE);
        batch.put(Bytes.of("w1"), VALUE);
        return batch;
    }

    private static void work(All all) {
        all.add("flush", world -> {
            fill(world);
            return () -> world.db().flush();
        });
        all.add("flush in the background", world -> {
            fill(world);
            return () -> world.db().flush(new FlushOptions().waits(false));
        });
        all.add("flush two families", world -> {
            fill(world);
            return () -> world.db().flush(List.of(world.db().defaultColumnFamily(), world.other()), new FlushOptions());
        });
        all.add("flush that fails", world -> {
            RocksDB db = world.db();
            if (world.kind != NestedKind.ON_BACKGROUND_ERROR) {
                return () -> {
                };
            }
            db.put(NestedWorld.FAILING, VALUE);
            db.merge(NestedWorld.FAILING, VALUE);
            return () -> {
                try {
                    db.flush();
                    throw new AssertionError("It did not fail");
                } catch (RocksDBException e) {
                    // As it must.
                }
            };
        });
        all.add("compact", world -> {
            twoFiles(world);
            return () -> world.db().compact();
        });
        all.add("compact a range", world -> {
            twoFiles(world);
            return () -> world.db().compact(segment("r1"), segment("r7"));
        });
        all.add("compactFiles", world -> {
            twoFiles(world);
            if (world.kind == NestedKind.ON_STALL_CONDITIONS_CHANGED) {
                // It is the only one with compactions in the background, which may be at these files.
                world.db().backgroundWork().waitForCompact();
            }
            List<Path> files = world.db().liveFiles().stream().filter(file -> file.columnFamily().equals("default"))
                    .map(LiveFile::path).toList();
            return () -> world.db().compactFiles(files, 6, new CompactionOptions());
        });
        all.add("suggestCompactRange", world -> {
            twoFiles(world);
            return () -> world.db().suggestCompactRange(segment("r1"), segment("r7"));
        });
        all.plain("deleteFilesInRange", world -> world.db().deleteFilesInRange(segment("x1"), segment("x2")));
        all.plain("waitForCompact", world -> world.db().backgroundWork().waitForCompact());
        all.plain("pause, resume", world -> {
            world.db().backgroundWork().pause();
            world.db().backgroundWork().resume();
        });
        all.plain("disableManualCompaction", world -> {
            world.db().backgroundWork().disableManualCompaction();
            world.db().backgroundWork().enableManualCompaction();
        });
        all.add("ingest", world -> {
            // With timestamps, RocksDB takes no key that the database has, so each file has its own keys.
            Path file = world.kind.hasTimestamps() ? table(world) : world.file(NestedCall::table);
            return () -> world.db().ingest(List.of(file));
        });
        all.plain("write a table file", NestedCall::table);
        all.add("create a family", world -> {
            String name = "family" + world.newPath().getFileName();
            return () -> {
                ColumnFamily made = world.db().createColumnFamily(name, world.options());
                world.later(() -> world.db().dropColumnFamily(made));
            };
        });
        all.add("drop a family", world -> {
            ColumnFamily family = world.spare();
            return () -> world.db().dropColumnFamily(family);
        });
        all.plain("setOptions", world -> world.db().setOptions(Map.of("level0_file_num_compaction_trigger", "8")));
        all.plain("setDbOptions", world -> world.db().setDbOptions(Map.of("max_background_jobs", "2")));
        all.add("checkpoint", world -> {
            Path path = world.newPath();
            return () -> world.db().checkpoint(path);
        });
        all.add("export", world -> {
            Path path = world.newPath();
            return () -> world.db().defaultColumnFamily().export(path);
        });
        all.plain("disableFileDeletions", world -> {
            world.db().disableFileDeletions();
            world.db().enableFileDeletions();
        });
        all.plain("verifyChecksum", world -> world.db().verifyChecksum());
    }

    private static MemorySegment segment(String text) {
        return MemorySegment.ofArray(Bytes.of(text));
    }

    static void fill(NestedWorld world) {
        if (!world.isQuick()) {
            world.fill();
        }
    }

    private static void twoFiles(NestedWorld world) {
        if (world.isQuick()) {
            return;
        }
        world.fill();
        world.db().flush();
        world.fill();
        world.db().flush();
    }

    private static Path table(NestedWorld world) {
        Path file = world.newPath();
        try (SstFileWriter writer = new SstFileWriter(file, world.options())) {
            for (String key : List.of("w1", "w2", "w3")) {
                if (world.kind.hasTimestamps()) {
                    writer.put(segment(file.getFileName() + " " + key),
                            MemorySegment.ofArray(TimestampedValue.bytes(1)),
                            MemorySegment.ofArray(VALUE));
                } else {
                    writer.put(Bytes.of(key), VALUE);
                }
            }
            writer.finish();
        }
        return file;
    }

    private static void looks(All all) {
        all.plain("snapshot", world -> world.db().snapshot().close());
        all.plain("approximateSizes",
                world -> world.db().approximateSizes(List.of(KeyRange.of(Bytes.of("r1"), Bytes.of("r7")))));
        all.plain("approximateSizes in memory", world -> world.db().approximateSizes(
                List.of(KeyRange.of(Bytes.of("r1"), Bytes.of("r7"))),
                new SizeApproximationOptions().includeMemtables(true).includeFiles(true)));
        all.plain("property stats", world -> expect(world.db().property("rocksdb.stats") != null, "it is known"));
        all.plain("property levelstats",
                world -> expect(world.db().property("rocksdb.levelstats") != null, "it is known"));
        all.plain("longProperty",
                world -> expect(world.db().longProperty("rocksdb.estimate-num-keys") != null, "it is known"));
        all.plain("longProperty of memory",
                world -> expect(world.db().longProperty("rocksdb.cur-size-all-mem-tables") != null, "it is known"));
        all.plain("longProperty of readers",
                world -> expect(world.db().longProperty("rocksdb.estimate-table-readers-mem") != null, "it is known"));
        all.plain("mapProperty",
                world -> expect(world.db().mapProperty("rocksdb.aggregated-table-properties") != null, "it is known"));
        all.plain("metadata", world -> expect(world.db().metadata().fileCount() >= 0, "there is a number"));
        all.plain("liveFiles", world -> expect(!world.db().liveFiles().isEmpty(), "there are files"));
        all.plain("liveFilesStorageInfo",
                world -> expect(!world.db().liveFilesStorageInfo(new LiveFilesStorageInfoOptions()).isEmpty(),
                        "there are files"));
        all.plain("latestSequenceNumber", world -> expect(world.db().latestSequenceNumber() > 0, "there are writes"));
        all.plain("walFiles",
                world -> world.db().walFiles().forEach(file -> expect(file.number() > 0, "it has a number")));
        all.plain("currentWalFile", world -> expect(world.db().currentWalFile() != null, "there is a log"));
        all.plain("updatesSince", world -> {
            try (WalIterator updates = world.db().updatesSince(world.db().latestSequenceNumber())) {
                boolean _ = updates.next();
            } catch (RocksDBException e) {
                expect(e.status().code() == Status.Code.NOT_FOUND, "the log is gone");
            }
        });
        all.plain("dbIdentity", world -> expect(!world.db().dbIdentity().isEmpty(), "it has one"));
        all.plain("memory usage",
                world -> expect(MemoryUsage.of(List.of(world.db()), List.of()).memTables() > 0, "there is some"));
        all.plain("pinnedBytes", world -> expect(world.db().pinnedBytes() >= 0, "there is a number"));
        all.add("tracing", world -> {
            Path file = world.newPath();
            return () -> {
                world.db().tracing().start(file, new TraceOptions());
                world.db().tracing().end();
            };
        });
        all.add("tracing of the cache", world -> {
            Path file = world.newPath();
            return () -> {
                world.db().tracing().startBlockCache(file, new TraceOptions());
                world.db().tracing().endBlockCache();
            };
        });
    }
}
