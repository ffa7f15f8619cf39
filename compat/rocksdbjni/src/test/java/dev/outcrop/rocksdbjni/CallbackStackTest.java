package dev.outcrop.rocksdbjni;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractTableFilter;
import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileWriter;
import org.rocksdb.TableProperties;
import org.rocksdb.TraceOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;
import org.rocksdb.util.ReverseBytewiseComparator;

/** Calls at the end of a thread's stack do their work or nothing, also if RocksDB calls Java within them. */
class CallbackStackTest extends DatabaseTest {
    /** Frames from one attempt to the next. */
    private static final int STEP = 4;
    /** So many attempts succeed, each with a little more stack than the one before. */
    private static final int SUCCESSES = 30;

    /** The object in Java that RocksDB calls. */
    enum Called {
        NOTHING,
        COMPARATOR,
        FILE_LISTENER,
        LOGGER,
        TABLE_FILTER,
        TRACE_WRITER
    }

    interface Call {
        void run() throws Exception;
    }

    /** True for each number once its put has returned. */
    private final boolean[] written = new boolean[1 << 16];
    private int puts;
    private int entries;

    private static byte[] key(int number) {
        return b("key" + number);
    }

    private static byte[] value(int number) {
        // Many fill a memtable, so that some puts begin a new log.
        return Arrays.copyOf(key(number), 10_000);
    }

    @ParameterizedTest
    @EnumSource
    void callsAtAnyDepthSucceedOrDoNothing(Called called) throws Exception {
        Options options = closeLater(new Options()).setCreateIfMissing(true).setWriteBufferSize(64 << 10);
        ReadOptions reading = closeLater(new ReadOptions());
        switch (called) {
            case NOTHING, TRACE_WRITER -> {
            }
            case COMPARATOR -> options.setComparator(closeLater(
                    new ReverseBytewiseComparator(closeLater(new ComparatorOptions()))));
            case FILE_LISTENER -> options.setListeners(List.of(closeLater(new FileListener())));
            case LOGGER -> options.setLogger(closeLater(new Attentive()));
            case TABLE_FILTER -> reading.setTableFilter(closeLater(new AllTables()));
        }
        RocksDB db = closeLater(RocksDB.open(options, path()));
        if (called == Called.TRACE_WRITER) {
            db.startTrace(new TraceOptions(), closeLater(new Forgetful()));
        }
        for (int i = 0; i < 100; i++) {
            db.put(key(-i), new byte[100]);
        }
        for (Map.Entry<String, Call> call : calls(db, options, reading, called).entrySet()) {
            call.getValue().run();
            Attempts attempts = new Attempts(call.getValue());
            attempts.run();
            assertThat(attempts.failure).as(call.getKey()).isNull();
            assertThat(attempts.successes).as(call.getKey()).isEqualTo(SUCCESSES);
        }
        for (int i = 0; i < puts; i++) {
            assertThat(db.get(key(i))).as("key" + i).isEqualTo(written[i] ? value(i) : null);
        }
    }

    private Map<String, Call> calls(RocksDB db, Options options, ReadOptions reading, Called called)
            throws Exception {
        WriteOptions writing = closeLater(new WriteOptions());
        FlushOptions flush = closeLater(new FlushOptions());
        WriteBatch batch = closeLater(new WriteBatch());
        WriteBatchWithIndex indexed = closeLater(new WriteBatchWithIndex(true));
        ColumnFamilyHandle family = db.getDefaultColumnFamily();
        RocksIterator iterator = closeLater(db.newIterator(reading));
        SstFileWriter tables = closeLater(new SstFileWriter(closeLater(new EnvOptions()), options));
        tables.open(path("table"));
        SstFileWriter files = closeLater(new SstFileWriter(closeLater(new EnvOptions()), options));
        files.open(path("written"));
        files.put(key(-50), new byte[100]);
        files.finish();
        String table = path("written");
        DBOptions databaseOptions = closeLater(new DBOptions());
        BackupEngine backups = backups(called);
        byte[] wanted = key(-50);
        List<byte[]> many = List.of(key(-1), key(-2), key(-3));
        ColumnFamilyDescriptor descriptor = new ColumnFamilyDescriptor(b("other"));
        Map<String, Call> calls = new LinkedHashMap<>();
        calls.put("get", () -> require(db.get(reading, wanted).length == 100));
        calls.put("put", () -> {
            int number = puts++;
            db.put(key(number), value(number));
            written[number] = true;
        });
        calls.put("many keys", () -> require(db.multiGetAsList(reading, many).size() == 3));
        calls.put("seek", () -> iterator.seek(wanted));
        calls.put("next", () -> {
            iterator.seekToFirst();
            iterator.next();
        });
        calls.put("batch", () -> {
            batch.clear();
            batch.put(wanted, new byte[100]);
            db.write(writing, batch);
        });
        calls.put("indexed batch", () -> {
            indexed.put(family, wanted, new byte[100]);
            indexed.put(family, key(-51), new byte[100]);
            require(indexed.getFromBatchAndDB(db, family, reading, wanted).length == 100);
        });
        calls.put("flush", () -> {
            db.put(wanted, new byte[100]);
            db.flush(flush);
        });
        calls.put("family", () -> {
            try (ColumnFamilyHandle made = db.createColumnFamily(descriptor)) {
                db.dropColumnFamily(made);
            }
        });
        calls.put("batch of a family", () -> {
            // The first record makes the order of the family that of later ones.
            indexed.put(family, wanted, new byte[100]);
            indexed.setSavePoint();
            indexed.put(key(-52), new byte[100]);
            require(indexed.getFromBatch(databaseOptions, key(-52)) != null);
            indexed.rollbackToSavePoint();
        });
        calls.put("backup", () -> {
            backups.createNewBackup(db);
            backups.purgeOldBackups(1);
            backups.garbageCollect();
        });
        calls.put("reader", () -> {
            try (SstFileReader reader = new SstFileReader(options)) {
                reader.open(table);
            }
        });
        calls.put("table file", () -> {
            files.open(path("table2"));
            files.put(wanted, new byte[2 << 20]);
            files.finish();
        });
        calls.put("table", () -> {
            int number = entries++;
            // In the order of the comparator.
            tables.put(ByteBuffer.allocate(4).putInt(called == Called.COMPARATOR ? -number - 1 : number).array(),
                    wanted);
        });
        return calls;
    }

    private BackupEngine backups(Called called) throws Exception {
        BackupEngineOptions options = closeLater(
                new BackupEngineOptions(Files.createDirectory(directory.resolve("backups"))
                        .toString()));
        if (called == Called.LOGGER) {
            options.setInfoLog(closeLater(new Attentive()));
        }
        return closeLater(BackupEngine.open(Env.getDefault(), options));
    }

    /** Like an assertion, but without more frames than there is room for. */
    private static void require(boolean condition) {
        if (!condition) {
            throw new IllegalStateException("A wrong result");
        }
    }

    /** Makes a call at the end of the stack, and again in frames above until it has succeeded often enough. */
    private static final class Attempts extends StackEnd {
        private final Call call;
        private int successes;
        private @Nullable Throwable failure;

        Attempts(Call call) {
            super(STEP, 0);
            this.call = call;
        }

        @Override
        void attempt() {
            if (successes < SUCCESSES && failure == null) {
                try {
                    call.run();
                    successes++;
                } catch (StackOverflowError e) {
                    // The next attempt has more.
                } catch (Throwable e) {
                    failure = e;
                }
            }
        }
    }

    private static final class FileListener extends AbstractEventListener {
        @Override
        public boolean shouldBeNotifiedOnFileIO() {
            return true;
        }
    }

    private static final class Attentive extends Logger {
        Attentive() {
            super(InfoLogLevel.DEBUG_LEVEL);
        }

        @Override
        protected void log(InfoLogLevel level, String message) {
        }
    }

    private static final class AllTables extends AbstractTableFilter {
        @Override
        public boolean filter(TableProperties properties) {
            return true;
        }
    }

    private static final class Forgetful extends AbstractTraceWriter {
        @Override
        public void write(Slice record) {
        }

        @Override
        public void closeWriter() {
        }

        @Override
        public long getFileSize() {
            return 0;
        }
    }
}
