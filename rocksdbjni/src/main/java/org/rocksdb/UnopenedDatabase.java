package org.rocksdb;

/** A database that is being opened, as its listeners see it: for the time of a call. Closing it does nothing. */
final class UnopenedDatabase extends RocksDB {

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
