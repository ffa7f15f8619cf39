package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.AbstractComparator;
import org.rocksdb.BuiltinComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DirectSlice;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.OptimisticTransactionOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WBWIRocksIterator;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;
import org.rocksdb.util.BytewiseComparator;
import org.rocksdb.util.ReverseBytewiseComparator;

/** Prints what iterators find in batches with an index, alone and over other iterators. */
@NullUnmarked // null is an argument like any other here
final class BatchIteratorsReport {

    private final ReportLines report;
    private final RocksDB db;
    private final ColumnFamilyHandle family;

    private BatchIteratorsReport(ReportLines report, RocksDB db, ColumnFamilyHandle family) {
        this.report = report;
        this.db = db;
        this.family = family;
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        ReportLines report = new ReportLines(directory);
        try (StringAppendOperator append = new StringAppendOperator("+");
                Options options = new Options().setCreateIfMissing(true).setMergeOperator(append);
                ColumnFamilyOptions reverse = new ColumnFamilyOptions().setMergeOperator(append)
                        .setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR);
                TransactionDBOptions locks = new TransactionDBOptions();
                TransactionDB db = TransactionDB.open(options, locks, directory.resolve("db").toString());
                ColumnFamilyHandle family = db
                        .createColumnFamily(new ColumnFamilyDescriptor("reverse".getBytes(UTF_8), reverse))) {
            BatchIteratorsReport made = new BatchIteratorsReport(report, db, family);
            for (boolean overwrites : new boolean[]{false, true}) {
                made.records("batch " + overwrites, overwrites);
                made.bases("base " + overwrites, overwrites);
                made.transaction("transaction " + overwrites, db);
            }
            made.fallbacks();
        }
        try (ComparatorOptions comparing = new ComparatorOptions();
                ByLength order = new ByLength(comparing);
                Options options = new Options().setCreateIfMissing(true).setComparator(order);
                OptimisticTransactionDB db = OptimisticTransactionDB.open(options,
                        directory.resolve("by length").toString())) {
            optimistic(report, db, order);
        }
        return report.all();
    }

    private static byte[] b(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    private static void fill(WriteBatchWithIndex batch, ColumnFamilyHandle family) throws RocksDBException {
        batch.put(b("b"), b("1"));
        batch.put(b("a"), b("22"));
        batch.merge(b("c"), b("333"));
        batch.delete(b("d"));
        batch.singleDelete(b("e"));
        batch.put(b("b"), b("4444"));
        batch.put(b(""), b(""));
        batch.putLogData(b("not in the index"));
        batch.put(family, b("x"), b("5"));
        batch.put(family, b("y"), b("6"));
        batch.delete(family, b("z"));
    }

    private static String entry(WBWIRocksIterator records) {
        if (!records.isValid()) {
            return "nowhere";
        }
        WBWIRocksIterator.WriteEntry entry = records.entry();
        return entry.getType() + " " + entry.getKey() + "=" + entry.getValue();
    }

    private static String records(WBWIRocksIterator records) {
        StringBuilder all = new StringBuilder();
        for (records.seekToFirst(); records.isValid(); records.next()) {
            all.append(entry(records)).append(", ");
        }
        all.append("back: ");
        for (records.seekToLast(); records.isValid(); records.prev()) {
            all.append(entry(records)).append(", ");
        }
        return all.toString();
    }

    private void records(String name, boolean overwrites) throws RocksDBException {
        try (WriteBatchWithIndex batch = new WriteBatchWithIndex(overwrites)) {
            report.line(name + " empty", () -> {
                try (WBWIRocksIterator none = batch.newIterator()) {
                    return records(none);
                }
            });
            fill(batch, family);
            try (WBWIRocksIterator ofDefault = batch.newIterator();
                    WBWIRocksIterator ofHandle = batch.newIterator(db.getDefaultColumnFamily());
                    WBWIRocksIterator ofFamily = batch.newIterator(family)) {
                report.line(name, () -> records(ofDefault));
                report.line(name + " default", () -> records(ofHandle));
                report.line(name + " family", () -> records(ofFamily));
                for (String target : new String[]{"", "aa", "b", "d", "zz"}) {
                    report.line(name + " seek '" + target + "'", () -> {
                        ofDefault.seek(b(target));
                        return entry(ofDefault);
                    });
                    report.line(name + " seek back '" + target + "'", () -> {
                        ofDefault.seekForPrev(b(target));
                        return entry(ofDefault);
                    });
                    ByteBuffer direct = ByteBuffer.allocateDirect(9).put(b("x" + target)).flip().position(1);
                    report.line(name + " seek direct '" + target + "'", () -> {
                        ofFamily.seek(direct);
                        return entry(ofFamily) + " " + direct;
                    });
                    ByteBuffer heap = ByteBuffer.wrap(b("x" + target)).position(1);
                    report.line(name + " seek back heap '" + target + "'", () -> {
                        ofFamily.seekForPrev(heap);
                        return entry(ofFamily) + " " + heap;
                    });
                }
                entries(name, ofDefault);
                ofDefault.seek(b("b"));
                report.line(name + " goes on", () -> {
                    batch.put(b("bb"), b("new"));
                    batch.put(b("0"), new byte[100_000]);
                    ofDefault.next();
                    return entry(ofDefault).length();
                });
                report.done(name + " status", ofDefault::status);
                report.done(name + " refresh to null", () -> ofDefault.refresh(null));
                try (var snapshot = db.getSnapshot()) {
                    report.done(name + " refresh", () -> ofDefault.refresh(snapshot));
                }
                report.done(name + " seek null", () -> ofDefault.seek((byte[]) null));
            }
            report.done(name + " of null", () -> batch.newIterator(null).close());
        }
    }

    private void entries(String name, WBWIRocksIterator records) {
        report.line(name + " entry", () -> {
            records.seek(b("a"));
            WBWIRocksIterator.WriteEntry entry = records.entry();
            boolean isSame = entry.equals(records.entry());
            try (DirectSlice key = new DirectSlice("a");
                    DirectSlice value = new DirectSlice("22");
                    WBWIRocksIterator.WriteEntry equal = new WBWIRocksIterator.WriteEntry(
                            WBWIRocksIterator.WriteType.PUT, key, value);
                    WBWIRocksIterator.WriteEntry other = new WBWIRocksIterator.WriteEntry(
                            WBWIRocksIterator.WriteType.MERGE, key, value)) {
                return isSame + " " + entry.equals(equal) + " " + entry.equals(other) + " " + entry.hashCode() + " "
                        + equal.hashCode() + " " + entry.getKey().size() + " " + entry.getValue().data() + " "
                        + entry.getValue().get(1);
            }
        });
        report.line(name + " deletion", () -> {
            records.seek(b("d"));
            WBWIRocksIterator.WriteEntry entry = records.entry();
            try (DirectSlice key = new DirectSlice("d")) {
                return entry.getValue() + " " + entry.equals(new WBWIRocksIterator.WriteEntry(
                        WBWIRocksIterator.WriteType.DELETE, key, DirectSlice.NONE));
            }
        });
        for (int id = -1; id < 8; id++) {
            int number = id;
            report.line(name + " type " + id, () -> WBWIRocksIterator.WriteType.fromId((byte) number));
        }
    }

    private static String walk(RocksIterator entries) throws RocksDBException {
        StringBuilder all = new StringBuilder();
        try (entries) {
            for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                all.append(text(entries.key())).append('=').append(text(entries.value())).append(' ');
            }
            for (entries.seekToLast(); entries.isValid(); entries.prev()) {
                all.append(text(entries.key())).append(' ');
            }
            entries.seek(b("b"));
            all.append("seek ").append(entries.isValid() ? text(entries.key()) : "nowhere");
            entries.seekForPrev(b("zz"));
            all.append(" back ").append(entries.isValid() ? text(entries.key()) : "nowhere");
            entries.status();
        }
        return all.toString();
    }

    private void bases(String name, boolean overwrites) throws RocksDBException {
        for (String key : new String[]{"a", "c", "d", "e", "f"}) {
            db.put(b(key), b("old"));
            db.put(family, b(key), b("old"));
            db.put(family, b("z" + key), b("old"));
        }
        try (WriteBatchWithIndex batch = new WriteBatchWithIndex(overwrites);
                WriteBatchWithIndex second = new WriteBatchWithIndex(overwrites);
                WriteBatchWithIndex none = new WriteBatchWithIndex(overwrites);
                ReadOptions read = new ReadOptions();
                Slice upper = new Slice("d");
                ReadOptions bounded = new ReadOptions().setIterateUpperBound(upper);
                WriteOptions write = new WriteOptions();
                Transaction transaction = ((TransactionDB) db).beginTransaction(write)) {
            fill(batch, family);
            second.put(b("a2"), b("second"));
            second.delete(b("a"));
            second.put(family, b("y2"), b("second"));
            second.delete(family, b("x"));
            transaction.put(b("t"), b("of a transaction"));
            transaction.delete(b("f"));
            Map<String, Function<ReadOptions, RocksIterator>> bases = Map.of(
                    "database", db::newIterator,
                    "transaction", transaction::getIterator,
                    "batch", given -> second.newIteratorWithBase(db.newIterator(), given),
                    "both", given -> second.newIteratorWithBase(transaction.getIterator(given), given),
                    "itself", given -> batch.newIteratorWithBase(db.newIterator(given), given),
                    "empty batch", given -> none.newIteratorWithBase(db.newIterator(given)));
            bases.forEach((kind, base) -> {
                report.line(name + " over " + kind,
                        () -> walk(batch.newIteratorWithBase(base.apply(read))));
                report.line(name + " over " + kind + ", family",
                        () -> walk(batch.newIteratorWithBase(db.getDefaultColumnFamily(), base.apply(read))));
                report.line(name + " over " + kind + ", options",
                        () -> walk(batch.newIteratorWithBase(base.apply(bounded), bounded)));
                report.line(name + " over " + kind + ", family and options", () -> walk(
                        batch.newIteratorWithBase(db.getDefaultColumnFamily(), base.apply(bounded), bounded)));
            });
            report.line(name + " of the other family",
                    () -> walk(batch.newIteratorWithBase(family, db.newIterator(family, read), read)));
            report.line(name + " of the other family, deep", () -> walk(batch.newIteratorWithBase(family,
                    second.newIteratorWithBase(family, db.newIterator(family, read), read))));
            report.line(name + " used up", () -> {
                RocksIterator base = db.newIterator();
                try (RocksIterator made = batch.newIteratorWithBase(base)) {
                    return base.isOwningHandle() + " " + made.isOwningHandle();
                }
            });
            report.line(name + " refresh", () -> {
                try (RocksIterator made = batch.newIteratorWithBase(db.newIterator())) {
                    made.refresh();
                    return "done";
                }
            });
            report.line(name + " refresh to a snapshot", () -> {
                try (RocksIterator made = batch.newIteratorWithBase(db.newIterator()); var now = db.getSnapshot()) {
                    made.refresh(now);
                    return "done";
                }
            });
            report.done(name + " over null", () -> batch.newIteratorWithBase(null).close());
            report.done(name + " over null with a family", () -> batch.newIteratorWithBase(family, null).close());
        }
    }

    private void transaction(String name, TransactionDB transactions) throws RocksDBException {
        try (WriteOptions write = new WriteOptions(); Transaction transaction = transactions.beginTransaction(write)) {
            transaction.put(b("p"), b("1"));
            transaction.delete(family, b("q"));
            transaction.merge(b("p"), b("2"));
            try (WBWIRocksIterator ofDefault = transaction.getWriteBatch().newIterator();
                    WBWIRocksIterator ofFamily = transaction.getWriteBatch().newIterator(family)) {
                report.line(name + " records", () -> records(ofDefault));
                report.line(name + " records of a family", () -> records(ofFamily));
            }
        }
    }

    private void fallbacks() {
        try (ComparatorOptions options = new ComparatorOptions();
                ComparatorOptions copying = new ComparatorOptions().setUseDirectBuffer(false);
                ReadOptions read = new ReadOptions()) {
            Map<String, AbstractComparator> orders = Map.of("bytewise", new BytewiseComparator(options), "reverse",
                    new ReverseBytewiseComparator(options), "by length", new ByLength(options), "by length of arrays",
                    new ByLength(copying));
            orders.forEach((kind, order) -> {
                for (boolean overwrites : new boolean[]{false, true}) {
                    String name = "fallback " + kind + " " + overwrites;
                    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(order, overwrites ? 0 : 1000,
                            overwrites)) {
                        for (String key : new String[]{"bb", "a", "ccc", "c", "bb", "a", "dddd", ""}) {
                            batch.put(b(key), b("1"));
                        }
                        batch.delete(b("c"));
                        report.line(name, () -> {
                            try (WBWIRocksIterator records = batch.newIterator()) {
                                return records(records);
                            }
                        });
                        report.line(name + " get", () -> {
                            try (var database = new org.rocksdb.DBOptions()) {
                                return text(batch.getFromBatch(database, b("bb")))
                                        + Arrays.toString(batch.getFromBatch(database, b("c")));
                            }
                        });
                        batch.put(family, b("k"), b("in the order of the family"));
                        batch.put(family, b("m"), b(""));
                        report.line(name + " family", () -> walk(
                                batch.newIteratorWithBase(family, db.newIterator(family, read), read)));
                    } catch (RocksDBException e) {
                        throw new IllegalStateException(e);
                    }
                }
                order.close();
            });
            report.done("fallback null", () -> new WriteBatchWithIndex(null, 0, true).close());
        }
    }

    @SuppressWarnings({"ReferenceEquality", "try"}) // the same object is asked for; transactions keep the comparator
    private static void optimistic(ReportLines report, OptimisticTransactionDB db, AbstractComparator order)
            throws RocksDBException {
        try (WriteOptions write = new WriteOptions();
                OptimisticTransactionOptions options = new OptimisticTransactionOptions();
                ReadOptions read = new ReadOptions()) {
            report.line("set comparator", () -> options.setComparator(order).equals(options));
            report.done("set no comparator", () -> options.setComparator(null));
            try (Transaction transaction = db.beginTransaction(write, options)) {
                options.close();
                transaction.put(b("ccc"), b("1"));
                transaction.put(b("dd"), b("2"));
                transaction.put(b("e"), b("3"));
                report.line("optimistic", () -> walk(transaction.getIterator(read)));
                transaction.commit();
            }
            report.line("optimistic, committed", () -> walk(db.newIterator()));
        }
    }
}
