package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeReadOptions;

/** The live write options of a transaction. They end with the transaction; closing them does nothing. */
final class TransactionWriteOptions extends WriteOptions {

    TransactionWriteOptions(long nativeOptions) {
        super(nativeOptions);
        disOwnNativeHandle();
    }

    /** Frees native options, except those of a transaction. */
    static void dispose(WriteOptions options, long handle) {
        if (!(options instanceof TransactionWriteOptions)) {
            NativeReadOptions.destroyWriteOptions(handle);
        }
    }

    /** Ends the options. Called by a thread that is about to free the transaction. */
    void endWithTransaction() {
        end(() -> {
        });
    }
}
