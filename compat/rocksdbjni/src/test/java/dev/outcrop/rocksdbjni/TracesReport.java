package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.AbstractTransactionNotifier;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.TraceOptions;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;

/** Prints what writers of traces and notifiers of transactions receive. */
final class TracesReport {

    private static final byte[] KEY = "key".getBytes(UTF_8);

    /** Keeps its records without their times. */
    private static final class Trace extends AbstractTraceWriter {
        private final List<String> records = new ArrayList<>();
        private long size;

        @Override
        public void write(Slice record) throws RocksDBException {
            byte[] bytes = record.data();
            // A time in microseconds, a kind, a length, and what the kind has.
            ByteBuffer fields = ByteBuffer.wrap(bytes);
            byte kind = fields.get(Long.BYTES);
            records.add(kind + " " + bytes.length + (kind == 1 ? "" : " " + new String(bytes, UTF_8).contains("key")));
            size += bytes.length;
        }

        @Override
        public void closeWriter() {
            records.add("closed");
        }

        @Override
        public long getFileSize() {
            return size;
        }
    }

    /** Fails in every way. */
    private static final class Failing extends AbstractTraceWriter {
        private final Throwable failure;

        Failing(Throwable failure) {
            this.failure = failure;
        }

        private void fail() throws RocksDBException {
            if (failure instanceof RocksDBException status) {
                throw status;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        }

        @Override
        public void write(Slice record) throws RocksDBException {
            fail();
        }

        @Override
        public void closeWriter() throws RocksDBException {
            fail();
        }

        @Override
        public long getFileSize() {
            if (failure instanceof RuntimeException thrown) {
                throw thrown;
            }
            return 0;
        }
    }

    /** Keeps numbers of snapshots. */
    private static final class Notified extends AbstractTransactionNotifier {
        private final List<String> numbers;
        private final long first;

        Notified(List<String> numbers, long first) {
            this.numbers = numbers;
            this.first = first;
        }

        @Override
        public void snapshotCreated(Snapshot snapshot) {
            numbers.add(snapshot.getSequenceNumber() - first + "");
            if (numbers.size() % 2 == 0) {
                throw new IllegalStateException("on purpose");
            }
        }
    }

    private final Path directory;
    private final Map<String, String> lines = new TreeMap<>();

    private TracesReport(Path directory) {
        this.directory = directory;
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        TracesReport report = new TracesReport(directory);
        report.traces();
        report.transactions();
        return report.lines;
    }

    /** Writes a trace, and notifies of a snapshot; returns what came of it. */
    static String brief(Path directory) throws RocksDBException {
        List<String> numbers = new ArrayList<>();
        try (Options options = new Options().setCreateIfMissing(true);
                OptimisticTransactionDB db = OptimisticTransactionDB.open(options, directory.toString());
                WriteOptions writing = new WriteOptions();
                Transaction transaction = db.beginTransaction(writing)) {
            Trace trace = new Trace();
            db.startTrace(new TraceOptions(), trace);
            db.get(KEY);
            db.endTrace();
            try (Notified notifier = new Notified(numbers, 0)) {
                transaction.setSnapshotOnNextOperation(notifier);
                transaction.put(KEY, KEY);
            }
            return trace.records.size() + " records, " + numbers.size() + " snapshot";
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+|[0-9a-f]{8}-[0-9a-f-]+", "");
        }
    }

    private void traces() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, directory.resolve("traced").toString())) {
            db.put(KEY, "v".repeat(100_000).getBytes(UTF_8));
            Trace trace = new Trace();
            db.startTrace(new TraceOptions(), trace);
            use(db);
            db.endTrace();
            use(db);
            lines.put("trace", trace.records + "");
            end("without a trace", db);
            Trace limited = new Trace();
            db.startTrace(new TraceOptions(200), limited);
            use(db);
            db.endTrace();
            lines.put("limited trace", limited.records + "");
            Trace replaced = new Trace();
            Trace last = new Trace();
            db.startTrace(new TraceOptions(), replaced);
            db.startTrace(new TraceOptions(), last);
            db.get(KEY);
            lines.put("replaced trace", replaced.records + " " + last.records);
            for (Throwable failure : List.of(new RocksDBException(new Status(Status.Code.Busy, Status.SubCode.LockLimit,
                    "text")), new RocksDBException("text"), new IllegalStateException("on purpose"),
                    new AssertionError("on purpose"))) {
                db.startTrace(new TraceOptions(), new Failing(failure));
                use(db);
                end("end of a trace that fails with " + failure.getClass().getSimpleName() + failure.getMessage(), db);
            }
            // Not ended: the database is closed.
            db.startTrace(new TraceOptions(), new Trace());
        }
    }

    private void end(String key, RocksDB db) {
        try {
            db.endTrace();
            lines.put(key, "ended");
        } catch (RocksDBException e) {
            lines.put(key, e.getStatus() == null
                    ? e.getMessage()
                    : e.getStatus().getCodeString() + " " + e.getStatus().getState().replaceAll("error: .*", "error"));
        }
    }

    private static void use(RocksDB db) throws RocksDBException {
        db.put("other".getBytes(UTF_8), KEY);
        db.get(KEY);
        db.get(KEY);
        db.get(KEY, new byte[10]);
        db.get("none".getBytes(UTF_8));
        try (ReadOptions reading = new ReadOptions()) {
            db.get(reading, ByteBuffer.allocateDirect(3).put(KEY).flip(), ByteBuffer.allocateDirect(10));
        }
        db.multiGetAsList(List.of(KEY, KEY));
        db.delete("other".getBytes(UTF_8));
        try (RocksIterator iterator = db.newIterator()) {
            iterator.seek(KEY);
            iterator.seekForPrev(KEY);
            iterator.seekToFirst();
        }
    }

    private void transactions() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writing = new WriteOptions();
                TransactionDB pessimistic = TransactionDB.open(options, locking,
                        directory.resolve("pessimistic").toString());
                OptimisticTransactionDB optimistic = OptimisticTransactionDB.open(options,
                        directory.resolve("optimistic").toString())) {
            try (Transaction transaction = pessimistic.beginTransaction(writing)) {
                transaction("pessimistic", pessimistic, transaction);
            }
            try (Transaction transaction = optimistic.beginTransaction(writing)) {
                transaction("optimistic", optimistic, transaction);
            }
        }
    }

    private void transaction(String name, RocksDB db, Transaction transaction) throws RocksDBException {
        List<String> numbers = new ArrayList<>();
        List<String> steps = new ArrayList<>();
        try (ReadOptions reading = new ReadOptions();
                Notified notifier = new Notified(numbers, db.getLatestSequenceNumber());
                Notified other = new Notified(numbers, -1000)) {
            transaction.setSnapshotOnNextOperation(notifier);
            steps.add("set " + numbers + transaction.getSnapshot());
            db.put("outside".getBytes(UTF_8), KEY);
            transaction.get(reading, KEY);
            steps.add("read " + numbers);
            transaction.put(KEY, KEY);
            steps.add("put " + numbers);
            transaction.put(KEY, KEY);
            steps.add("put again " + numbers);
            db.put("outside".getBytes(UTF_8), KEY);
            transaction.setSnapshotOnNextOperation(notifier);
            transaction.setSavePoint();
            transaction.getForUpdate(reading, "more".getBytes(UTF_8), true);
            steps.add("getForUpdate " + numbers);
            transaction.rollbackToSavePoint();
            transaction.delete("gone".getBytes(UTF_8));
            steps.add("after a rollback " + numbers);
            transaction.setSnapshotOnNextOperation(notifier);
            transaction.clearSnapshot();
            transaction.put(KEY, KEY);
            steps.add("cleared " + numbers);
            transaction.setSnapshotOnNextOperation(notifier);
            transaction.setSnapshotOnNextOperation();
            transaction.put(KEY, KEY);
            steps.add("without notifier " + numbers);
            transaction.setSnapshotOnNextOperation(notifier);
            transaction.setSnapshotOnNextOperation(other);
            transaction.putUntracked("untracked".getBytes(UTF_8), KEY);
            steps.add("another notifier " + numbers.size());
            transaction.setSnapshotOnNextOperation(other);
            try {
                transaction.commit();
                steps.add("commit " + numbers.size());
            } catch (RocksDBException e) {
                steps.add(e.getMessage());
            }
        }
        lines.put("notified " + name, steps + "");
    }
}
