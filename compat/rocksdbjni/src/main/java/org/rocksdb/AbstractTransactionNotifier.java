package org.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdbjni.NativeMethods;

/**
 * Receives the snapshot that a transaction makes at its next operation, for {@link Transaction#setSnapshotOnNextOperation}. It is called in
 * the thread of that operation. Exceptions are logged, and do not reach the operation. Transactions still call a notifier that was closed.
 */
public abstract class AbstractTransactionNotifier extends RocksCallbackObject {

    /** For subclasses. */
    protected AbstractTransactionNotifier() {
        super();
    }

    /**
     * Receives the snapshot.
     *
     * @param newSnapshot the snapshot; it can be used until the transaction gets another snapshot or ends
     */
    public abstract void snapshotCreated(Snapshot newSnapshot);

    /** Makes no native object: each transaction gets one. */
    @Override
    protected long initializeNative(long... nativeParameterHandles) {
        return keepWithoutNative(this, nativeParameterHandles);
    }

    /** Called by native code. */
    @SuppressWarnings("unused") // through JNI
    private void snapshotCreated(long snapshot) {
        created();
    }

    void created() {
        throw new IllegalStateException("Only a notice is called by native code");
    }

    /** Sets this as the notifier of a native transaction, which shares the native object. */
    void setIn(TransactionContext transaction, long nativeTransaction) {
        kept();
        NativeMethods.require("Java_org_rocksdb_AbstractTransactionNotifier_createNewTransactionNotifier");
        JniCallback.claim("A transaction notifier",
                "30AbstractTransactionNotifierJni26getSnapshotCreatedMethodIdEP7JNIEnv_");
        AbstractTransactionNotifier notice = new Notice(this, transaction);
        long notifier = notice.createNewTransactionNotifier();
        try {
            Transaction.jniSetSnapshotOnNextOperation(nativeTransaction, notifier);
        } finally {
            disposeInternal(notifier);
        }
    }

    private native long createNewTransactionNotifier();

    @Override
    protected void disposeInternal() {
        super.disposeInternal();
    }

    /**
     * Frees a native notifier, if there is one.
     *
     * @param handle its address, or 0
     */
    protected final void disposeInternal(long handle) {
        if (handle != 0) {
            disposeInternalJni(handle);
        }
    }

    private static native void disposeInternalJni(long handle);

    /** The notifier of one transaction. Native code calls it. */
    private static final class Notice extends AbstractTransactionNotifier {

        private final AbstractTransactionNotifier notifier;
        private final TransactionContext transaction;
        private final JniCallback callback;

        Notice(AbstractTransactionNotifier notifier, TransactionContext transaction) {
            this.notifier = notifier;
            this.transaction = transaction;
            callback = new JniCallback(this, notifier, CallbackKind.TRANSACTION_NOTIFIER);
        }

        @Override
        public void snapshotCreated(Snapshot newSnapshot) {
            notifier.snapshotCreated(newSnapshot);
        }

        @Override
        void created() {
            Throwable _ = callback.call(() -> snapshotCreated(transaction.getSnapshot()));
        }
    }
}
