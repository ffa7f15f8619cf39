package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.BorrowedDatabase;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RocksJavaOptions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** Opens the databases of programs. */
final class Databases {
    private Databases() {
    }

    /** An empty one for writing, which may be lent. */
    static RocksDB empty(ProgramSetup setup, long lent) throws RocksDBException {
        if (lent != Program.NOT_LENT) {
            return new BorrowedDatabase(lent);
        }
        Directories.delete(setup.directory());
        return open(setup, EngineOptions.WRITING);
    }

    /** One that holds every key, with values that differ, in sorted files and in the block cache; it may be lent. */
    static RocksDB filled(ProgramSetup setup, long lent) throws RocksDBException {
        if (lent != Program.NOT_LENT) {
            return new BorrowedDatabase(lent);
        }
        RocksDB db = open(setup, EngineOptions.READING);
        byte[] key = Keys.first(ProgramSetup.KEY_BYTES);
        byte[] value = new byte[setup.valueBytes()];
        Arrays.fill(value, (byte) 'v');
        try (WriteOptions options = new WriteOptions().setDisableWAL(true)) {
            for (int i = 0; i < setup.keys(); i++) {
                Keys.set(key, i);
                value[0] = (byte) i;
                value[value.length - 1] = (byte) (i >> 8);
                db.put(options, key, value);
            }
        }
        db.compactRange();
        return db;
    }

    /** What a program returns of a database that was lent to it or not; only ours has what C can use. */
    static long lend(ProgramSetup setup, RocksDB db, long lent) {
        return setup.is().limit() == null || lent != Program.NOT_LENT ? lent : db.getNativeHandle();
    }

    @SuppressWarnings("resource") // open until the process ends
    private static RocksDB open(ProgramSetup setup, EngineOptions options) throws RocksDBException {
        RocksJavaOptions opened = new RocksJavaOptions(options);
        if (setup.is() == DropinOperation.COMPARATOR) {
            opened.columnFamily().setComparator(new Bytewise());
        }
        setup.directory().toFile().mkdirs();
        return RocksDB.open(opened.database(), setup.directory().toString(),
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, opened.columnFamily())),
                new java.util.ArrayList<ColumnFamilyHandle>());
    }

    /** RocksDB's own order. */
    private static final class Bytewise extends AbstractComparator {
        Bytewise() {
            super(new ComparatorOptions());
        }

        @Override
        public String name() {
            return "dev.outcrop.benchmarks.dropin.Bytewise";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            int mismatch = a.mismatch(b);
            if (mismatch < 0) {
                return 0;
            }
            return mismatch == a.remaining() || mismatch == b.remaining()
                    ? a.remaining() - b.remaining()
                    : Byte.compareUnsigned(a.get(a.position() + mismatch), b.get(b.position() + mismatch));
        }
    }
}
