package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Creates and drops column families. */
final class Creation {
    private Creation() {
    }

    static ColumnFamily create(Store store, String name, Options options) {
        long nativeOptions = options.copyNative();
        try (Scratch scratch = store.enterToWork()) {
            MemorySegment text = OptionValues.text("A column family's name", name, scratch);
            store.requireWritable("changed");
            SafeOptions.require(store.path, options);
            long handle = store.kind().createColumnFamily(store.db, nativeOptions, text, Native.error(scratch));
            Native.requireDone(scratch, "Cannot create the column family " + name);
            return CallbackFailures.rethrowAfter(() -> adopt(scratch, store, name, handle, options));
        } finally {
            NativeDbOptions.destroy(nativeOptions);
        }
    }

    static List<ColumnFamily> create(Store store, List<String> names, Options options) {
        List<String> all = List.copyOf(names);
        if (!store.kind().equals(DatabaseKind.PLAIN)) {
            // RocksDB would create them beside what locks keys or drops old entries.
            return all.stream().map(name -> create(store, name, options)).toList();
        }
        long nativeOptions = options.copyNative();
        try (Scratch scratch = store.enterToWork()) {
            MemorySegment array = OptionValues.array(scratch, "A column family's name", all);
            store.requireWritable("changed");
            SafeOptions.require(store.path, options);
            if (all.isEmpty()) {
                return List.of();
            }
            scratch.setWord(1, 0);
            long handles = CApi.rocksdb_create_column_families(store.db, nativeOptions, all.size(), array.address(),
                    scratch.wordAddress(1), Native.error(scratch));
            long count = scratch.word(1);
            Status failure = Native.status(scratch);
            // If one fails, those before it are there.
            List<ColumnFamily> created = CallbackFailures
                    .rethrowAfter(() -> adopt(scratch, store, all, handles, count, options));
            if (failure != null) {
                throw new RocksDBException(failure,
                        "Created " + count + " of " + all.size() + " column families: " + failure);
            }
            return created;
        } finally {
            NativeDbOptions.destroy(nativeOptions);
        }
    }

    private static List<ColumnFamily> adopt(Scratch scratch, Store store, List<String> names, long handles, long count,
            Options options) {
        List<ColumnFamily> created = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long handle = NativeCalls.view(handles, count * Long.BYTES).getAtIndex(ValueLayout.JAVA_LONG, i);
            created.add(adopt(scratch, store, names.get(i), handle, options));
        }
        CApi.rocksdb_create_column_families_destroy(handles);
        return List.copyOf(created);
    }

    /** Gives the handle of a new family to the store, or frees it if that fails. */
    static ColumnFamily adopt(Scratch scratch, Store store, String name, long handle, Options options) {
        try {
            return store.add(scratch, name, handle, options);
        } catch (Throwable e) {
            NativeFamilies.close(handle);
            throw e;
        }
    }

    static void drop(Store store, ColumnFamily dropped) {
        Family own = store.own(dropped);
        try (Scratch _ = own.enterToWork()) {
            store.requireWritable("changed");
            if (own.isDefault()) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "The default column family"
                        + " of the " + store + " cannot be dropped; delete its entries instead, or the whole database"
                        + " with RocksDB.destroy");
            }
        }
        store.drop(own);
    }
}
