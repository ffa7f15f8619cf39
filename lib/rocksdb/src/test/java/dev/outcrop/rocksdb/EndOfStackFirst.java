package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Opens databases, and then makes each frequent call for the first time. The JVM logs which classes it initializes meanwhile. */
final class EndOfStackFirst {
    private EndOfStackFirst() {
    }

    static void main(String[] arguments) {
        Options options = new Options().createIfMissing(true).mergeOperator(MergeOperator.STRING_APPEND);
        byte[] small = Bytes.of("small");
        byte[] large = Bytes.of("large");
        byte[] value = new byte[16];
        MemorySegment key = Bytes.inNative(large);
        MemorySegment heap = MemorySegment.ofArray(small);
        MemorySegment buffer = Bytes.inNative(new byte[64]);
        List<byte[]> keys = List.of(small, large);
        RocksDB db = RocksDB.open(Path.of(arguments[0], "db"), options);
        ColumnFamily family = db.createColumnFamily("other", options);
        TransactionDB locking = TransactionDB.open(Path.of(arguments[0], "locking"), options);
        OptimisticTransactionDB optimistic = OptimisticTransactionDB.open(Path.of(arguments[0], "optimistic"), options);
        KeyRange range = KeyRange.from(small);
        List<KeyRange> ranges = List.of(range);
        System.out.println("=== opened");
        db.get(small);
        System.out.println("=== put");
        db.put(small, value);
        db.put(large, new byte[10_000]);
        family.put(heap, key);
        System.out.println("=== delete");
        db.delete(Bytes.of("none"));
        db.singleDelete(Bytes.of("never"));
        db.deleteRange(Bytes.of("x"), Bytes.of("y"));
        db.merge(Bytes.of("sum"), value);
        System.out.println("=== get");
        db.get(small);
        db.get(large);
        db.get(heap, buffer);
        db.get(key, buffer);
        db.get(key, MemorySegment.ofArray(new byte[20_000]));
        System.out.println("=== pinned");
        Objects.requireNonNull(db.getPinned(key)).close();
        Objects.requireNonNull(db.getHybrid(key, buffer)).close();
        Objects.requireNonNull(db.getHybrid(heap, buffer)).close();
        db.keyMayExist(small);
        db.keyMayExist(key, buffer);
        System.out.println("=== multiGet");
        db.multiGet(keys);
        try (MultiGet request = db.multiGet()) {
            request.add(small).add(key).add(family, small);
            try (MultiGetValues values = request.execute()) {
                values.get(0);
            }
            request.execute(Bytes.inNative(new byte[100_000])).close();
        }
        System.out.println("=== iterator");
        try (KeyValueIterator iterator = db.iterator()) {
            iterator.seekToFirst();
            iterator.next();
            iterator.previous();
            iterator.seek(small);
            iterator.seekForPrev(key);
            iterator.seekToLast();
            iterator.key();
            iterator.value();
            iterator.entry();
            iterator.key(buffer);
            iterator.refresh();
        }
        System.out.println("=== iterator of a range");
        db.iterator(range).close();
        db.iterators(List.of(family)).getFirst().close();
        System.out.println("=== scan");
        db.scan((_, _) -> true);
        db.scan(range.reversed(), (_, _) -> true);
        System.out.println("=== snapshot");
        try (Snapshot snapshot = db.snapshot()) {
            KeyValueReader reader = db.with(new ReadOptions().snapshot(snapshot));
            reader.get(small);
        }
        System.out.println("=== batch");
        WriteBatch batch = new WriteBatch();
        batch.put(small, value);
        db.write(batch);
        batch.delete(large);
        batch.in(family).merge(small, value);
        db.write(batch);
        System.out.println("=== properties");
        db.longProperty(Property.ESTIMATE_NUM_KEYS);
        db.property("rocksdb.stats");
        db.latestSequenceNumber();
        for (RocksDB each : List.of(locking, optimistic)) {
            System.out.println("=== transaction of " + each.getClass().getSimpleName());
            for (int i = 0; i < 2; i++) {
                try (Transaction transaction = each == locking ? locking.begin() : optimistic.begin()) {
                    transaction.setSavePoint();
                    transaction.put(small, value);
                    transaction.delete(large);
                    transaction.get(small);
                    transaction.getForUpdate(large);
                    transaction.iterator().close();
                    PinnedSlice slice = transaction.getPinned(heap);
                    if (slice != null) {
                        slice.close();
                    }
                    if (i == 0) {
                        transaction.commit();
                    } else {
                        transaction.rollback();
                    }
                }
            }
            each.put(Bytes.of("other"), value);
            each.snapshot().close();
            WriteBatch more = new WriteBatch();
            more.put(small, value);
            each.write(more);
        }
        System.out.println("=== rest");
        try (WriteBatchWithIndex indexed = new WriteBatchWithIndex(db, true)) {
            System.out.println("=== batch with index");
            indexed.put(small, value);
            indexed.delete(large);
            indexed.getFromBatch(small);
            indexed.getFromBatchAndDB(small);
            indexed.iteratorFromBatchAndDB().close();
            db.write(indexed);
            indexed.clear();
        }
        System.out.println("=== end");
        db.approximateSizes(ranges);
        optimistic.close();
        locking.close();
        db.close();
    }
}
