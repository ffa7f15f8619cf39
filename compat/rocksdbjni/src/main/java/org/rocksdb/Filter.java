package org.rocksdb;

import dev.outcrop.rocksdbjni.NativeMethods;

/** A filter of a table format. */
public abstract class Filter extends RocksObject {

    /**
     * For subclasses.
     *
     * @param nativeHandle the address of the native filter; 0 if each table format makes its own
     */
    protected Filter(long nativeHandle) {
        super(nativeHandle);
    }

    @Override
    protected void disposeInternal() {
        super.disposeInternal();
    }

    /** Does nothing: table formats own their native filters. */
    @Override
    protected final void disposeInternal(long handle) {
    }

    static void jniDisposeInternalJni(long handle) {
        NativeMethods.require("Java_org_rocksdb_Filter_disposeInternalJni");
        disposeInternalJni(handle);
    }

    private static native void disposeInternalJni(long handle);
}
