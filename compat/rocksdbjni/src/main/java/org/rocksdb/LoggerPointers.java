package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Passes native loggers of C to JNI functions. These functions take a {@code shared_ptr} of a class with two base classes; the logger is
 * the second one. C has a {@code shared_ptr} of the logger alone. This class measures the distance between the two pointers, and the offset
 * of the logger in backup options: it lets the library set the logger of options that consist of zeros.
 */
final class LoggerPointers {

    /** RocksDB's structure is less than a third of this size. */
    private static final int SIZE_OF_BACKUP_OPTIONS = 1024;
    private static final long TRIAL = 4096;

    private LoggerPointers() {
    }

    /** Returns an empty {@code shared_ptr}. */
    static long none(Scratch scratch) {
        return pair(scratch, 0, 0);
    }

    /**
     * Returns a {@code shared_ptr} for functions that take the class with two bases.
     *
     * @param logger C's structure, which must live until the function has copied the result
     */
    static long ofCallback(Scratch scratch, long logger) {
        return pair(scratch, NativeCalls.readLong(logger) - layout(scratch).bytesBefore,
                NativeCalls.readLong(logger + Long.BYTES));
    }

    /**
     * Sets the logger of backup options, which have a plain pointer to it. RocksDB's own function takes the logger from the options
     * themselves.
     *
     * @param logger C's structure
     */
    static void set(Scratch scratch, long backupOptions, long logger) {
        NativeCalls.writeLong(backupOptions + layout(scratch).offset, NativeCalls.readLong(logger));
    }

    private static long pair(Scratch scratch, long object, long count) {
        MemorySegment pair = scratch.allocate(2 * Long.BYTES, Long.BYTES);
        pair.set(ValueLayout.JAVA_LONG, 0, object);
        pair.set(ValueLayout.JAVA_LONG, Long.BYTES, count);
        return pair.address();
    }

    /** The offset of the logger in backup options, and the bytes before the logger in the class with two base classes. */
    private record Layout(long offset, long bytesBefore) {
    }

    private static Layout layout(Scratch scratch) {
        MemorySegment options = scratch.allocate(SIZE_OF_BACKUP_OPTIONS, Long.BYTES).fill((byte) 0);
        options.set(ValueLayout.JAVA_LONG, 0, TRIAL);
        BackupEngineOptions.jniSetInfoLog(options.address(), 0);
        long first = options.get(ValueLayout.JAVA_LONG, 0);
        if (first != TRIAL) {
            return new Layout(0, first - TRIAL);
        }
        for (long offset = Long.BYTES; offset < SIZE_OF_BACKUP_OPTIONS; offset += Long.BYTES) {
            long word = options.get(ValueLayout.JAVA_LONG, offset);
            if (word != 0) {
                return new Layout(offset, word - TRIAL);
            }
        }
        throw new UnsupportedOperationException(
                "The RocksDB library sets no logger of backups: it is of another version");
    }
}
