package dev.outcrop.rocksdbjni;

import java.util.Collections;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;

/** Each kind of database; those for reading come after the one that writes what they read. */
enum OpenedAs {
    PLAIN,
    LOCKING,
    OPTIMISTIC,
    TTL,
    TTL_READING,
    READING,
    SECONDARY;

    /** Whether it can be written to. */
    boolean writes() {
        return compareTo(TTL) <= 0;
    }

    /** The kind that writes what this one reads. */
    OpenedAs writer() {
        return writes() ? this : this == TTL_READING ? TTL : PLAIN;
    }

    RocksDB open(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles) throws RocksDBException {
        return switch (this) {
            case PLAIN -> RocksDB.open(options, path, families, handles);
            case LOCKING -> {
                try (TransactionDBOptions locking = new TransactionDBOptions()) {
                    yield TransactionDB.open(options, locking, path, families, handles);
                }
            }
            case OPTIMISTIC -> OptimisticTransactionDB.open(options, path, families, handles);
            case TTL, TTL_READING -> TtlDB.open(options, path, families, handles,
                    Collections.nCopies(families.size(), 0), this == TTL_READING);
            case READING -> RocksDB.openReadOnly(options, path, families, handles);
            case SECONDARY -> RocksDB.openAsSecondary(options, path, path + "-secondary", families, handles);
        };
    }
}
