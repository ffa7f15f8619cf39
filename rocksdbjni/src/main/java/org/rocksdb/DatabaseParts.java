package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** What an open database has besides its native object: options for calls without any, families, iterators. */
final class DatabaseParts {

    private final RocksDB database;
    private final Set<AbstractRocksIterator<?>> iterators = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<ColumnFamilyHandle> families = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Freed after the last call, with the database. */
    final long readOptions = CApi.rocksdb_readoptions_create();
    final long writeOptions = CApi.rocksdb_writeoptions_create();
    String path = "";
    private ColumnFamilyHandle defaultFamily;

    DatabaseParts(RocksDB database) {
        this.database = database;
    }

    synchronized ColumnFamilyHandle family(long handle) {
        ColumnFamilyHandle family = new ColumnFamilyHandle(database, handle);
        families.add(family);
        return family;
    }

    synchronized ColumnFamilyHandle defaultFamily() {
        if (defaultFamily == null) {
            try (Scratch _ = database.use()) {
                defaultFamily = family(CApi.rocksdb_get_default_column_family_handle(database.nativeHandle_));
            }
        }
        return defaultFamily;
    }

    synchronized void add(AbstractRocksIterator<?> iterator) {
        iterators.add(iterator);
    }

    synchronized void remove(AbstractRocksIterator<?> iterator) {
        iterators.remove(iterator);
    }

    /** Called once, when no call is running any longer and none can begin. */
    synchronized void closeChildren() {
        iterators.forEach(AbstractRocksIterator::endWithDatabase);
        iterators.clear();
        families.forEach(ColumnFamilyHandle::endWithDatabase);
        families.clear();
        CApi.rocksdb_readoptions_destroy(readOptions);
        CApi.rocksdb_writeoptions_destroy(writeOptions);
    }
}
