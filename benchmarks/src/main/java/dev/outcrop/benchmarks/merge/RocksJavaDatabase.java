package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.RocksJavaOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.rocksdb.MergeOperator;
import org.rocksdb.Options;
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
final class RocksJavaDatabase implements AutoCloseable {
    final RocksDB database;
    final WriteOptions writing;
    final Task task;

    // First, because it loads the library.
    private final RocksJavaOptions parts = new RocksJavaOptions(EngineOptions.WRITING);
    private final MergeOperator operator;
    private final Options options;

    RocksJavaDatabase() {
        Workload workload = Workload.current();
        workload.database().delete();
        task = workload.task();
        operator = task == Task.APPEND ? new StringAppendOperator("") : new UInt64AddOperator();
        options = new Options(parts.database(), parts.columnFamily()).setMergeOperator(operator);
        writing = new WriteOptions().setDisableWAL(true);
        String directory = workload.database().directory().toString();
        try {
            database = RocksDB.open(options, directory);
        } catch (RocksDBException e) {
            throw new BenchmarkException("rocksdbjni cannot open " + directory + ": " + e.getMessage(), e);
        }
        workload.database().requireOnlyEngine();
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
        if (task == Task.INCREMENT) {
            database.compactRange();
        }
    }

    /** Checks that nothing was lost. */
    void check(long merged) {
        long sum = 0;
        try (RocksIterator iterator = database.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                byte[] value = iterator.value();
                sum += task == Task.APPEND ? value.length : number(value).getLong();
            }
        }
        if (task != Task.READ) {
            Workload.check(sum, task == Task.APPEND ? (long) Task.OPERATIONS * task.operandBytes() : merged);
        }
    }

    /** A counter's value. */
    static byte[] number(long value) {
        return number(new byte[Long.BYTES]).putLong(value).array();
    }

    /** An element of a list. */
    static byte[] element() {
        byte[] element = new byte[Task.APPEND.operandBytes()];
        Arrays.fill(element, (byte) 'e');
        return element;
    }

    private static ByteBuffer number(byte[] value) {
        return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        database.close();
        writing.close();
        options.close();
        operator.close();
        parts.close();
    }
}
