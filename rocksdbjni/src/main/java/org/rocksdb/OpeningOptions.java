package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import dev.outcrop.rocksdb.internal.OptionLimits;
import java.util.ArrayList;
import java.util.List;

/** A native copy of options to open something with, which was checked and which no other thread can change. */
final class OpeningOptions implements AutoCloseable {

    final long handle;
    private final List<OpenListener> listeners = new ArrayList<>();

    /** To open a database. */
    OpeningOptions(Options options) throws RocksDBException {
        this(options, options.parts_);
    }

    /** To open a database. */
    OpeningOptions(DBOptions options) throws RocksDBException {
        this(options, options.parts_);
    }

    private OpeningOptions(RocksObject options, OptionParts parts) throws RocksDBException {
        this(options);
        WriteBufferManager manager = parts.writeBufferManager();
        try {
            if (manager != null) {
                manager.requireRoom();
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
        parts.listeners().forEach(listener -> listeners.add(OpenListener.add(handle, listener)));
    }

    /** To open something else with. */
    OpeningOptions(RocksObject options) throws RocksDBException {
        try (Scratch _ = options.use()) {
            handle = CApi.rocksdb_options_create_copy(options.nativeHandle_);
        }
        try {
            Ranges.checkOptions(handle);
        } catch (RocksDBException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** To open a database with that writes no log. */
    static OpeningOptions forReading(Options options) throws RocksDBException {
        return withoutLog(new OpeningOptions(options));
    }

    /** To open a database with that writes no log. */
    static OpeningOptions forReading(DBOptions options) throws RocksDBException {
        return withoutLog(new OpeningOptions(options));
    }

    private static OpeningOptions withoutLog(OpeningOptions opening) {
        OptionLimits.forReading(opening.handle);
        return opening;
    }

    /** The database is there. */
    void opened(RocksDB database) {
        listeners.forEach(listener -> listener.opened(database));
    }

    @Override
    public void close() {
        CApi.rocksdb_options_destroy(handle);
    }
}
