package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import java.util.function.Consumer;

/**
 * A listener of one database. RocksDB passes the native database of an event, which is not always the database that the program holds. So
 * each database has its own native listeners.
 */
final class DatabaseListener {

    final AbstractEventListener listener;

    /** Null until the database is open: RocksDB's threads may send events before that. */
    private volatile RocksDB database;

    /** Whether the listener has asked for events of file operations. */
    final boolean isToldOfFiles;
    /** The number of exceptions in file events. */
    private int failures;

    private DatabaseListener(AbstractEventListener listener) {
        this.listener = listener;
        this.isToldOfFiles = asks();
    }

    /** Adds a listener to native options, which own it. */
    static DatabaseListener add(long options, AbstractEventListener listener) {
        DatabaseListener open = new DatabaseListener(listener);
        long id = Callbacks.register(open, listener, CallbackKind.EVENT_LISTENER, listener.getClass().getName());
        long made = EventCallbacks.create(id);
        NativeDbOptions.addEventListener(options, made);
        // Add the events last, because this may fail: the options own the native listener now.
        VirtualEvents.add(made, id, listener, open.isToldOfFiles);
        return open;
    }

    void opened(RocksDB made) {
        database = made;
    }

    private boolean asks() {
        try {
            return VirtualEvents.isToldOfFiles(listener);
        } catch (RuntimeException e) {
            log(e);
            return false;
        }
    }

    /** Calls the listener in the thread of file events, and logs its exceptions. */
    void use(Consumer<EventListener> use) {
        try {
            use.accept(listener);
        } catch (Throwable e) {
            log(e);
        }
    }

    /** Logs the first exception, the second, the fourth, the eighth and so on. */
    private void log(Throwable thrown) {
        if (Integer.bitCount(++failures) == 1) {
            System.getLogger(CallbackFailures.LOGGER).log(System.Logger.Level.ERROR,
                    "The event listener " + listener.getClass().getName()
                            + " has thrown an exception, which is its number " + failures,
                    thrown);
        }
    }

    /** Passes the database of an event to a listener. */
    interface Use {
        void with(RocksDB database);
    }

    /**
     * Passes the program's database to the listener. While the database is being opened, passes an object that ends with the call.
     *
     * @param address the address of the {@code rocksdb_t}, which exists during the call
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
