package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.EndOfStack.Action;
import dev.outcrop.rocksdb.EndOfStack.Operation;
import dev.outcrop.rocksdb.engine.callbacks.OpenDatabases;
import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The operations of databases, where the stack ends. All that they need is in fields, so that they call nothing else. */
@SuppressWarnings("NullAway") // each check of what is kept in a field would be a call more
final class EndOfStackProgram {
    /** At how many depths an operation has to succeed before it need not be tried nearer to the beginning of the stack. */
    private static final int WANTED = 12;
    /** One operation of so many is tried; which ones, the seed says. */
    private static final int ONE_OF = TestSize.choose("outcrop.stack.operations.one.of", 10, 1);
    private static final int HOT = 64;
    private static final int KEYS = 1 << 16;
    private static final int LARGE = 10_000;
    private static final int MOST_LOOKS = 6_000;
    /** A call at each depth on the way to the end. */
    private static final Set<String> REPEATED = Set.of("get", "get merged", "getPinned", "put", "merge", "snapshot");
    private static final Action NOTHING = () -> {
    };

    private final Path directory;
    private final boolean callsBack;
    private final boolean isCold;
    private final int warmUp;
    private final List<Operation> operations = new ArrayList<>();
    private final Arena arena = Arena.global();

    private final byte[][] keys = new byte[KEYS + 1][];
    private final byte[] small = Bytes.of("small");
    private final byte[] large = Bytes.of("large");
    private final byte[] value = new byte[16];
    private final byte[] room = new byte[64];
    private final MemorySegment smallKey = Bytes.inNative(small);
    private final MemorySegment heapKey = MemorySegment.ofArray(small);
    private final MemorySegment largeKey = Bytes.inNative(large);
    private final MemorySegment valueSegment = Bytes.inNative(value);
    private final MemorySegment buffer = arena.allocate(64);
    private final MemorySegment largeBuffer = arena.allocate(1 << 16);
    private final MemorySegment heapBuffer = MemorySegment.ofArray(new byte[1 << 16]);
    private final KeyRange range = KeyRange.from(Bytes.of("a"));
    private final KeyRange shortRange = KeyRange.of(Bytes.of("l"), Bytes.of("t"));
    private final List<byte[]> keyList = List.of(small, large, Bytes.of("none"));
    private final List<KeyRange> ranges = List.of(KeyRange.all(), range);
    private final Map<String, String> changes = Map.of("max_write_buffer_number", "4");
    private final ScanVisitor visitor = (_, _) -> true;

    private final RocksDB db;
    private final ColumnFamily family;
    private final List<ColumnFamily> families;
    private final TransactionDB locking;
    private final OptimisticTransactionDB optimistic;
    private final Snapshot snapshot;
    private final KeyValueReader atSnapshot;
    private final KeyValueIterator iterator;
    private final WriteBatch batch = new WriteBatch();
    private final WriteBatchWithIndex indexed;
    private final MultiGet request;
    private final WalIterator log;

    /** The number of the next key to be written: all before it have been written. */
    private int next;
    private int inBatch;
    private int inIndexed;
    /** The index of the next object that operations close. */
    private int nextLeft;
    private int number;
    private @Nullable Transaction transaction;
    private @Nullable ColumnFamily created;
    private @Nullable BackupEngine backups;
    private @Nullable MultiGetValues values;
    private @Nullable SstFileWriter writer;
    private final ColumnFamily[] made = new ColumnFamily[2];
    private final Options familyOptions;
    private final BackupEngineOptions backupOptions;

    private EndOfStackProgram(Path directory, boolean callsBack, String mode) {
        this.directory = directory;
        this.callsBack = callsBack;
        this.isCold = mode.equals("cold");
        this.warmUp = isCold ? 0 : Integer.parseInt(mode);
        for (int i = 0; i <= KEYS; i++) {
            keys[i] = Bytes.of("t" + Integer.toHexString(1 << 24 | i).substring(1));
        }
        this.familyOptions = options();
        this.backupOptions = backupOptions(directory.resolve("backups"));
        this.db = RocksDB.open(directory.resolve("db"), options());
        this.family = db.createColumnFamily("other", options());
        this.families = List.of(db.defaultColumnFamily(), family);
        this.locking = TransactionDB.open(directory.resolve("locking"), options());
        this.optimistic = OptimisticTransactionDB.open(directory.resolve("optimistic"), options());
        fill(db.defaultColumnFamily());
        fill(family);
        locking.put(small, value);
        optimistic.put(small, value);
        this.snapshot = db.snapshot();
        this.atSnapshot = db.with(new ReadOptions().snapshot(snapshot));
        this.iterator = db.iterator();
        this.indexed = new WriteBatchWithIndex(db, true);
        this.request = db.multiGet();
        this.log = db.updatesSince(0);
    }

    private void fill(ColumnFamily filled) {
        filled.put(small, value);
        filled.put(large, new byte[LARGE]);
        filled.merge(Bytes.of("sum"), value);
        filled.flush();
        filled.merge(Bytes.of("sum"), value);
    }

    private Options options() {
        Options options = new Options().createIfMissing(true).writeBufferSize(1 << 20);
        if (!callsBack) {
            return options.mergeOperator(MergeOperator.STRING_APPEND);
        }
        return options.comparator(KeyComparator.of("bytes", (a, b) -> {
            long at = a.mismatch(b);
            if (at == -1) {
                return 0;
            }
            if (at == a.byteSize() || at == b.byteSize()) {
                return Long.compare(a.byteSize(), b.byteSize());
            }
            return Byte.compareUnsigned(a.get(ValueLayout.JAVA_BYTE, at), b.get(ValueLayout.JAVA_BYTE, at));
        })).mergeOperator(new MergeFunction() {
            @Override
            public String name() {
                return "last";
            }

            @Override
            public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
                    ValueSink result) {
                result.write(operands.getLast());
            }
        }).prefixExtractor(SliceTransform.of(new PrefixExtractor() {
            @Override
            public String name() {
                return "first byte";
            }

            @Override
            public long prefixLength(MemorySegment key) {
                return key.byteSize() == 0 ? -1 : 1;
            }
        })).compactionFilter((_, _, _, _) -> CompactionFilter.Decision.KEEP).addEventListener(new EventListener() {
        }).infoLog((_, _) -> {
        }, InfoLogLevel.INFO);
    }

    private void add(String name, int wanted, int heat, Action prepare, Action action, Action settle) {
        int warm = isCold ? 0 : heat == HOT ? warmUp : Math.min(warmUp, heat);
        operations.add(new Operation(name, warm, wanted, REPEATED.contains(name), prepare, action, () -> {
            settle.run();
            EndOfStack.closeLeft();
        }));
    }

    private void hot(String name, Action action) {
        add(name, WANTED, HOT, NOTHING, action, NOTHING);
    }

    private void rare(String name, Action action) {
        add(name, 3, 2, NOTHING, action, NOTHING);
    }

    /** Makes a resource and closes it; no call comes between making and storing it. */
    private static Action closed(Supplier<? extends AutoCloseable> make) {
        return () -> {
            EndOfStack.LEFT[EndOfStack.left] = make.get();
            EndOfStack.left++;
            EndOfStack.LEFT[EndOfStack.left - 1].close();
            EndOfStack.left--;
        };
    }

    /** Closing what was made where there was room, again where that fails. */
    private void closing(String name, Supplier<AutoCloseable> make) {
        add("close " + name, WANTED, HOT, () -> {
            for (int i = 0; i < Math.max(WANTED, Math.min(warmUp, 4000)) + 1; i++) {
                EndOfStack.LEFT[i] = make.get();
            }
            EndOfStack.left = Math.max(WANTED, Math.min(warmUp, 4000)) + 1;
            nextLeft = 0;
        }, () -> {
            AutoCloseable closed = EndOfStack.LEFT[nextLeft];
            if (closed != null) {
                closed.close();
                nextLeft++;
            }
        }, NOTHING);
    }

    private void closingRare(String name, Supplier<AutoCloseable> make) {
        add("close " + name, 2, 0, () -> {
            EndOfStack.LEFT[0] = make.get();
            EndOfStack.LEFT[1] = make.get();
            EndOfStack.left = 2;
            nextLeft = 0;
        }, () -> {
            EndOfStack.LEFT[nextLeft].close();
            nextLeft++;
        }, NOTHING);
    }

    private void addReads() {
        hot("get", () -> db.get(small));
        hot("get by segment", () -> db.get(smallKey));
        hot("get from a family", () -> family.get(heapKey));
        hot("get large", () -> db.get(large));
        hot("get merged", () -> db.get(keys[0]));
        hot("get into native", () -> db.get(smallKey, buffer));
        hot("get large into native", () -> db.get(largeKey, largeBuffer));
        hot("get large into heap", () -> db.get(largeKey, heapBuffer));
        hot("get into array", () -> db.get(small, room));
        hot("get at a snapshot", () -> atSnapshot.get(small));
        hot("getPinned", closed(() -> db.getPinned(largeKey)));
        hot("getPinned from a family", closed(() -> family.getPinned(smallKey)));
        closing("pinned slice", () -> family.getPinned(largeKey));
        hot("getHybrid", closed(() -> db.getHybrid(largeKey, buffer)));
        hot("getHybrid small", closed(() -> db.getHybrid(smallKey, buffer)));
        hot("getPinned with a function", () -> db.getPinned(largeKey, MemorySegment::byteSize));
        hot("keyMayExist", () -> db.keyMayExist(smallKey));
        hot("keyMayExist into", () -> db.keyMayExist(smallKey, buffer));
        hot("multiGet of a list", () -> db.multiGet(keyList));
        hot("multiGet request", closed(() -> db.multiGet()));
        add("multiGet", WANTED, HOT, () -> request.clear(), () -> {
            if (request.size() > 50) {
                request.clear();
            }
            request.add(small).add(largeKey).add(family, small);
            values = request.execute();
            EndOfStack.LEFT[0] = values;
            EndOfStack.left = 1;
            values.get(1);
            values.array(0);
            values.get(2, buffer);
            values.close();
        }, () -> {
            if (values != null) {
                values.close();
            }
        });
        add("multiGet into", WANTED, HOT, () -> request.clear().add(small).add(large), () -> {
            values = request.execute(largeBuffer);
            EndOfStack.LEFT[0] = values;
            EndOfStack.left = 1;
            values.toList();
            values.close();
        }, () -> {
            if (values != null) {
                values.close();
            }
        });
    }

    private void addIterators() {
        hot("iterator", closed(() -> db.iterator()));
        hot("iterator of a range", closed(() -> family.iterator(range)));
        hot("iterator at a snapshot", closed(() -> atSnapshot.iterator()));
        closing("iterator", () -> {
            KeyValueIterator made = db.iterator(range);
            made.seekToFirst();
            made.key();
            return made;
        });
        add("iterators", WANTED, 200, NOTHING, () -> {
            List<KeyValueIterator> all = db.iterators(families);
            EndOfStack.LEFT[EndOfStack.left] = all.get(0);
            EndOfStack.LEFT[EndOfStack.left + 1] = all.get(1);
            EndOfStack.left += 2;
        }, NOTHING);
        hot("move", () -> {
            iterator.seekToFirst();
            iterator.next();
            iterator.previous();
            iterator.seek(small);
            iterator.seekForPrev(largeKey);
            iterator.seekToLast();
        });
        hot("read an entry", () -> {
            iterator.seek(small);
            iterator.key();
            iterator.value();
            iterator.key(buffer);
            iterator.value(heapBuffer);
            iterator.entry();
            iterator.detach();
        });
        hot("refresh", iterator::refresh);
        hot("scan", () -> db.scan(shortRange, visitor));
        hot("scan at a snapshot", () -> atSnapshot.scan(shortRange, visitor));
        hot("scan back", () -> family.scan(shortRange.reversed(), visitor));
        hot("snapshot", closed(() -> db.snapshot()));
        closing("snapshot", db::snapshot);
        hot("options for reading", () -> db.with(new ReadOptions().snapshot(snapshot)).get(small));
    }

    private void addWrites() {
        hot("put", () -> {
            db.put(keys[next], value);
            next++;
        });
        hot("put in a family", () -> family.put(heapKey, valueSegment));
        hot("put segments", () -> db.put(smallKey, valueSegment));
        hot("delete", () -> db.delete(Bytes.of("none")));
        hot("singleDelete", () -> db.singleDelete(Bytes.of("never")));
        hot("merge", () -> family.merge(Bytes.of("counter"), value));
        add("deleteRange", WANTED, 20, NOTHING, () -> db.deleteRange(Bytes.of("x"), Bytes.of("y")), NOTHING);
        add("batch", WANTED, HOT, () -> {
            inBatch = 0;
            batch.clear();
        }, () -> {
            batch.put(keys[next + inBatch], value);
            inBatch++;
        }, () -> {
            require(batch.count() == inBatch, "the batch has " + batch.count() + " records instead of " + inBatch);
            db.write(batch);
            next += inBatch;
            inBatch = 0;
        });
        add("write a batch", WANTED, HOT, () -> {
            batch.clear();
            batch.put(small, value);
            batch.in(family).put(small, value);
        }, () -> db.write(batch), NOTHING);
        hot("new batch", () -> {
            WriteBatch made = new WriteBatch();
            made.put(small, value);
            made.in(family).merge(small, value);
            made.setSavePoint();
            made.delete(small);
            made.rollbackToSavePoint();
            made.clear();
        });
        add("batch with index", WANTED, HOT, () -> {
            inIndexed = 0;
            indexed.clear();
        }, () -> {
            indexed.put(keys[next + inIndexed], value);
            inIndexed++;
        }, () -> {
            require(indexed.count() >= inIndexed,
                    "the batch has " + indexed.count() + " records instead of " + inIndexed);
            db.write(indexed);
            next += inIndexed;
            inIndexed = 0;
            indexed.clear();
        });
        hot("read batch with index", () -> {
            indexed.getFromBatch(small);
            indexed.getFromBatchAndDB(small);
        });
        hot("iterator of batch with index", closed(() -> indexed.iteratorFromBatchAndDB()));
        hot("write batch with index", () -> db.write(indexed));
        hot("new batch with index", closed(() -> new WriteBatchWithIndex(db, false)));
        closing("batch with index", () -> {
            WriteBatchWithIndex made = new WriteBatchWithIndex(db, false);
            made.in(family).put(small, value);
            return made;
        });
    }

    private void addTransactions(String kind, RocksDBTransactions of) {
        hot("begin and close " + kind, closed(() -> of.begin()));
        closing(kind, () -> {
            Transaction made = of.begin();
            made.put(keys[number], value);
            number = (number + 1) % KEYS;
            return made;
        });
        for (boolean isCommit : new boolean[]{true, false}) {
            hot((isCommit ? "commit " : "roll back ") + kind, () -> {
                transaction = of.begin();
                EndOfStack.LEFT[EndOfStack.left] = transaction;
                EndOfStack.left++;
                number = (number + 2) % KEYS;
                transaction.put(keys[number], value);
                transaction.get(small);
                transaction.getForUpdate(keys[number + 1]);
                if (isCommit) {
                    transaction.commit();
                } else {
                    transaction.rollback();
                }
                transaction.close();
                EndOfStack.left--;
            });
        }
        add("use " + kind, WANTED, HOT, () -> {
            transaction = of.begin();
            EndOfStack.LEFT[0] = transaction;
            EndOfStack.left = 1;
        }, () -> {
            transaction.setSavePoint();
            transaction.put(smallKey, valueSegment);
            transaction.delete(largeKey);
            transaction.get(small);
            EndOfStack.LEFT[EndOfStack.left] = transaction.getPinned(smallKey);
            EndOfStack.left++;
            EndOfStack.LEFT[EndOfStack.left - 1].close();
            EndOfStack.LEFT[EndOfStack.left - 1] = transaction.iterator();
            EndOfStack.LEFT[EndOfStack.left - 1].close();
            EndOfStack.left--;
            transaction.rollbackToSavePoint();
        }, () -> {
            transaction.rollback();
            transaction.close();
        });
    }

    private interface RocksDBTransactions {
        Transaction begin();
    }

    private void addRest() {
        hot("property", () -> db.property("rocksdb.stats"));
        hot("number property", () -> db.longProperty("rocksdb.num-snapshots"));
        rare("map property", () -> db.mapProperty(Property.AGGREGATED_TABLE_PROPERTIES));
        hot("approximateSizes", () -> db.approximateSizes(ranges));
        hot("latestSequenceNumber", () -> db.latestSequenceNumber());
        hot("columnFamily", () -> db.columnFamily("other"));
        rare("updatesSince", () -> {
            EndOfStack.LEFT[EndOfStack.left] = db.updatesSince(db.latestSequenceNumber());
            EndOfStack.left++;
            ((WalIterator) EndOfStack.LEFT[EndOfStack.left - 1]).next();
            EndOfStack.LEFT[EndOfStack.left - 1].close();
            EndOfStack.left--;
        });
        closingRare("iterator of the log", () -> {
            WalIterator made = db.updatesSince(db.latestSequenceNumber());
            made.next();
            return made;
        });
        hot("next of the log", () -> log.next());
        rare("flush", () -> {
            db.put(small, value);
            db.flush();
        });
        rare("compact", db::compact);
        rare("setOptions", () -> db.setOptions(changes));
        rare("metadata", db::metadata);
        rare("liveFiles", db::liveFiles);
        rare("walFiles", db::walFiles);
        rare("column family", () -> {
            created = db.createColumnFamily("made " + number++, familyOptions);
            db.dropColumnFamily(created);
        });
        add("drop a column family", 2, 0, () -> {
            for (int i = 0; i < 2; i++) {
                made[i] = db.createColumnFamily("made " + number++, familyOptions);
            }
            nextLeft = 0;
        }, () -> {
            db.dropColumnFamily(made[nextLeft]);
            nextLeft++;
        }, NOTHING);
        rare("checkpoint", () -> db.checkpoint(directory.resolve("checkpoint " + number++)));
        rare("table file", () -> {
            writer = new SstFileWriter(directory.resolve("table " + number++), familyOptions);
            EndOfStack.LEFT[EndOfStack.left] = writer;
            EndOfStack.left++;
            writer.put(small, value);
            writer.finish();
            writer.close();
            EndOfStack.left--;
        });
        rare("backup", () -> {
            backups = BackupEngine.open(backupOptions);
            EndOfStack.LEFT[EndOfStack.left] = backups;
            EndOfStack.left++;
            backups.create(db);
            backups.close();
            EndOfStack.left--;
        });
        rare("open and close", closed(() -> RocksDB.open(directory.resolve("opened " + number++), familyOptions)));
        rare("open and close with locks",
                closed(() -> TransactionDB.open(directory.resolve("opened " + number++), familyOptions)));
        rare("open and close optimistically",
                closed(() -> OptimisticTransactionDB.open(directory.resolve("opened " + number++), familyOptions)));
        closingRare("a database", () -> {
            RocksDB more = RocksDB.open(directory.resolve("opened " + number++), familyOptions);
            more.put(small, value);
            return more;
        });
    }

    private static void require(boolean isGood, String otherwise) {
        if (!isGood) {
            throw new AssertionError(otherwise);
        }
    }

    private static BackupEngineOptions backupOptions(Path directory) {
        return new BackupEngineOptions(directory)
                .shareFilesWithChecksumNaming(BackupFileNaming.LEGACY_CRC32C_AND_FILE_SIZE);
    }

    private void run(String only) {
        addReads();
        addIterators();
        addWrites();
        addTransactions("locking transaction", locking::begin);
        addTransactions("optimistic transaction", optimistic::begin);
        addRest();
        for (int i = (int) (EndOfStack.SEED / 7 % ONE_OF); i < operations.size(); i += ONE_OF) {
            Operation each = operations.get(i);
            if (!each.name().contains(only)) {
                continue;
            }
            EndOfStack.attempt(each, true, false);
            if (!isCold && each.wanted() == WANTED) {
                EndOfStack.attempt(each.withoutWarmUp(), true, true);
                if (each.isRepeated()) {
                    EndOfStack.attempt(each.withoutWarmUp(), false, false);
                }
            }
        }
        EndOfStack.inThread("end", false, () -> {
            try {
                end();
            } catch (Throwable e) {
                EndOfStack.report("the end", e);
            }
        });
    }

    /** Everything works, and everything can be closed; nothing is kept open, and what was written is there. */
    private void end() throws InterruptedException {
        require(Arrays.equals(db.get(small), value), "another value");
        log.close();
        request.close();
        indexed.close();
        iterator.close();
        snapshot.close();
        require(db.pinnedBytes() == 0, "pinned bytes");
        requireNumber("rocksdb.num-snapshots", 0);
        awaitUnpinnedBlocks();
        locking.close();
        optimistic.close();
        db.close();
        require(OpenDatabases.count() == 0, OpenDatabases.count() + " databases are not closed");
        try (RocksDB again = RocksDB.open(directory.resolve("db"), options())) {
            for (int i = 0; i < next; i++) {
                require(again.get(keys[i]) != null, "key " + i + " is lost");
            }
            again.verifyChecksum();
        }
        for (String kind : List.of("locking", "optimistic")) {
            RocksDB.open(directory.resolve(kind), options()).close();
        }
    }

    /** RocksDB's background threads pin blocks too, for a while. */
    private void awaitUnpinnedBlocks() throws InterruptedException {
        for (int i = 0; Objects.requireNonNull(db.longProperty("rocksdb.block-cache-pinned-usage")) >= LARGE; i++) {
            require(i < MOST_LOOKS, "pinned blocks");
            Thread.sleep(10);
        }
    }

    private void requireNumber(String property, long expected) {
        Long found = db.longProperty(property);
        require(found != null && found == expected, property + " is " + found);
    }

    static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0], arguments[1] + arguments[2]);
        Files.createDirectories(directory);
        new EndOfStackProgram(directory, arguments[2].equals("callbacks"), arguments[1])
                .run(arguments.length > 3 ? arguments[3] : "");
        System.out.println(EndOfStack.failures().isEmpty() ? "nothing is left" : "" + EndOfStack.failures());
        Runtime.getRuntime().halt(EndOfStack.failures().isEmpty() ? 0 : 1);
    }
}
