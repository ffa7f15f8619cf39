package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.RocksJavaDatabase;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.rocksdb.MergeOperator;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.UInt64AddOperator;
import org.rocksdb.WriteOptions;

/**
 * A database that starts empty, opened by rocksdbjni with the operator in C++ that the task needs, whether that is used
 * or not.
 */
final class RocksJavaMergeDatabase implements AutoCloseable {
    static {
        // Operators do not load it.
        RocksDB.loadLibrary();
    }

    final RocksDB database;
    final WriteOptions writing = new WriteOptions().setDisableWAL(true);
    final MergeTask task = MergeCase.current();

    private final MergeOperator operator;
    private final RocksJavaDatabase opened;

    RocksJavaMergeDatabase() {
        Database.current().delete();
        operator = task == MergeTask.APPEND ? new StringAppendOperator("") : new UInt64AddOperator();
        opened = new RocksJavaDatabase(EngineOptions.WRITING, options -> options.setMergeOperator(operator));
        database = opened.database();
    }

    /** Gives every key the same value. */
    void putAll(byte[] key, byte[] value) throws RocksDBException {
        ByteBuffer index = ByteBuffer.wrap(key);
        for (int i = 0; i < task.keys(); i++) {
            index.putLong(0, i);
            database.put(writing, key, value);
        }
    }

    /** What increments start with. */
    void putCounters(byte[] key, long value) throws RocksDBException {
        putAll(key, number(value));
        if (task == MergeTask.INCREMENT) {
            database.compactRange();
        }
    }

    /** Checks that nothing was lost. */
    void check(long merged) {
        long sum = 0;
        try (RocksIterator iterator = database.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                byte[] value = iterator.value();
                sum += task == MergeTask.APPEND ? value.length : number(value).getLong();
            }
        }
        if (task != MergeTask.READ) {
            MergeTask.check(sum, task == MergeTask.APPEND ? (long) MergeTask.OPERATIONS * task.operandBytes() : merged);
        }
    }

    /** A counter's value. */
    static byte[] number(long value) {
        return number(new byte[Long.BYTES]).putLong(value).array();
    }

    /** An element of a list. */
    static byte[] element() {
        byte[] element = new byte[MergeTask.APPEND.operandBytes()];
        Arrays.fill(element, (byte) 'e');
        return element;
    }

    private static ByteBuffer number(byte[] value) {
        return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        opened.close();
        writing.close();
        operator.close();
    }
}
