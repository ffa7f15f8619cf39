package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;

/**
 * A listener of one database. RocksDB passes the native database of an event, which is not always the one that programs hold, so each
 * database has native listeners of its own.
 */
final class DatabaseListener {

    final AbstractEventListener listener;

    /** Null until the database is open: RocksDB's threads may send events before. */
    private volatile RocksDB database;

    private DatabaseListener(AbstractEventListener listener) {
        this.listener = listener;
    }

    /** Adds a listener to native options, which own it. */
    static DatabaseListener add(long options, AbstractEventListener listener) {
        DatabaseListener open = new DatabaseListener(listener);
        long id = Callbacks.register(open, listener, CallbackKind.EVENT_LISTENER, listener.getClass().getName());
        NativeDbOptions.addEventListener(options, EventCallbacks.create(id, listener.enabledEvents_));
        return open;
    }

    void opened(RocksDB made) {
        database = made;
    }

    /** Passes the database of an event to a listener. */
    interface Use {
        void with(RocksDB database);
    }

    /**
     * Passes the program's database to the listener, or, while it is being opened, an object that ends with the call.
     *
     * @param address of the {@code rocksdb_t}, which is there for the time of the call
     */
    void show(long address, Use use) {
        RocksDB made = database;
        if (made != null) {
            use.with(made);
        } else {
            UnopenedDatabase unopened = new UnopenedDatabase(address);
            try {
                use.with(unopened);
            } finally {
                unopened.endWithCall();
            }
        }
    }

    /** A database that is being opened, for one event. Closing it does nothing. */
    private static final class UnopenedDatabase extends RocksDB {

        UnopenedDatabase(long address) {
            super(address);
            disOwnNativeHandle();
        }

        void endWithCall() {
            end(state_::closeChildren);
        }

        @Override
        protected void disposeInternal(long handle) {
            // RocksDB owns the native database.
        }
    }
}
