package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;

/**
 * A listener of one database that is being opened, or is open. RocksDB says for which native database it calls, which is not always the
 * one that programs hold; so each database has native listeners of its own.
 */
final class OpenListener {

    final AbstractEventListener listener;

    /** Null until the database is open: RocksDB's threads may be at work before that. */
    private volatile RocksDB database;

    private OpenListener(AbstractEventListener listener) {
        this.listener = listener;
    }

    /** Gives native options a listener, which they own. */
    static OpenListener add(long options, AbstractEventListener listener) {
        OpenListener open = new OpenListener(listener);
        long id = Callbacks.register(open, listener, CallbackKind.EVENT_LISTENER, listener.getClass().getName());
        NativeDbOptions.addEventListener(options, EventCalls.create(id));
        return open;
    }

    void opened(RocksDB made) {
        database = made;
    }

    /** What the listener does with the database that an event is of. */
    interface Use {
        void with(RocksDB database);
    }

    /**
     * Shows the listener the program's own object, or, while the database is being opened, one that ends with the call.
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

    /** A database that is being opened, for the time of an event. Closing it does nothing. */
    private static final class UnopenedDatabase extends RocksDB {

        UnopenedDatabase(long address) {
            super(address);
            disOwnNativeHandle();
        }

        void endWithCall() {
            end(parts_::closeChildren);
        }

        @Override
        protected void disposeInternal(long handle) {
            // RocksDB has lent it.
        }
    }
}
