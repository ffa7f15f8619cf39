package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.IdleIterators;
import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdbjni.NativeMethods;
import java.util.Arrays;

/** A column family of an open database. A closed handle cannot be used. The native handle is freed with the database. */
public class ColumnFamilyHandle extends RocksObject {

    private final RocksDB database;
    /** The id; -1 before it is first needed. */
    private int id = -1;
    private volatile boolean closed;
    private volatile boolean dropped;
    /** Whether ranges may be deleted in the family: purging its memtables in memory has been turned off. */
    volatile boolean deletesRanges;
    /** The idle native iterators; null before the first one. */
    volatile IdleIterators.OfFamily idleIterators;

    ColumnFamilyHandle(RocksDB database, long nativeHandle) {
        super(nativeHandle);
        this.database = database;
    }

    /** Returns the native handle, for a call of the database that has begun. */
    @SuppressWarnings("ReferenceEquality") // a database is itself only
    long in(RocksDB user) {
        if (user != database && !DatabaseState.isSame(user, database)
                && !(user instanceof BaseDB base && base.isPartOf(database))) {
            throw new IllegalArgumentException(
                    "The column family belongs to another database, or was made without its constructor");
        }
        if (closed) {
            throw refusal("The column family is closed");
        }
        return nativeHandle_;
    }

    /**
     * Returns the native handle for a write. Refuses a dropped family: RocksDB would refuse it only after the write is in the log, and
     * would then refuse all other writes too.
     */
    long toWriteIn(RocksDB user) throws RocksDBException {
        long handle = in(user);
        if (dropped) {
            throw new RocksDBException(new Status(Status.Code.InvalidArgument, Status.SubCode.None,
                    "Invalid column family specified in write batch"));
        }
        return handle;
    }

    /** Returns the database. Refuses handles without one: those that a listener gets when they are deleted. */
    RocksDB database() {
        if (database == null) {
            throw new IllegalArgumentException(
                    "The column family is being closed, or was made without its constructor");
        }
        return database;
    }

    boolean isUsable() {
        return !dropped && !closed;
    }

    /** Marks the family as dropped. It can be read until this handle is closed. */
    void setDropped() {
        dropped = true;
    }

    boolean isDropped() {
        return dropped;
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns the id, which never changes. */
    int id() {
        if (id == -1) {
            id = getID();
        }
        return id;
    }

    /**
     * Returns the name.
     *
     * @return the name's bytes
     * @throws RocksDBException as published; never
     */
    public byte[] getName() throws RocksDBException {
        try (Scratch scratch = database.use()) {
            return name(in(database), scratch);
        }
    }

    /** Returns the name of C's structure for a family; its length is in the second word of the scratch memory. */
    static byte[] name(long handle, Scratch scratch) {
        long name = CApi.rocksdb_column_family_handle_get_name(handle, scratch.wordAddress(1));
        return NativeCall.takeBytes(name, scratch.word(1));
    }

    /** {@return the id in the database: 0 for the default family} */
    public int getID() {
        try (Scratch _ = database.use()) {
            return NativeFamilies.id(in(database));
        }
    }

    /**
     * Returns name and options.
     *
     * @return a new descriptor
     * @throws RocksDBException if it fails
     */
    public ColumnFamilyDescriptor getDescriptor() throws RocksDBException {
        try (Scratch _ = database.use()) {
            ColumnFamilyDescriptor descriptor = descriptor(JniWrappers.object(in(database)));
            descriptor.getOptions().state_.takeFrom(database);
            return descriptor;
        }
    }

    static ColumnFamilyDescriptor descriptor(long object) throws RocksDBException {
        NativeMethods.require("Java_org_rocksdb_ColumnFamilyHandle_getDescriptor");
        return getDescriptor(object);
    }

    private static native ColumnFamilyDescriptor getDescriptor(long handle) throws RocksDBException;

    /** {@return whether this is the default family} */
    protected boolean isDefaultColumnFamily() {
        return nativeHandle_ == database.getDefaultColumnFamily().nativeHandle_ || getID() == 0;
    }

    @Override
    @SuppressWarnings({"ReferenceEquality", "EqualsGetClass"}) // as published
    public boolean equals(Object o) {
        if (this == o) {
            return true;
        }
        if (!(o instanceof ColumnFamilyHandle that) || getClass() != o.getClass() || database != that.database) {
            return false;
        }
        try {
            return getID() == that.getID() && Arrays.equals(getName(), that.getName());
        } catch (RocksDBException e) {
            throw new IllegalStateException("Cannot compare column families", e);
        }
    }

    @Override
    public int hashCode() {
        try {
            return 31 * (31 * getID() + Arrays.hashCode(getName())) + System.identityHashCode(database);
        } catch (RocksDBException e) {
            throw new IllegalStateException("Cannot hash a column family", e);
        }
    }

    /** Marks the handle as closed: calls with it are refused from now on. */
    @Override
    protected void disposeInternal() {
        closed = true;
        try (Scratch open = database == null ? null : database.useIfOpen()) {
            if (open != null) {
                database.state_.endIdleIterators(this);
            }
        }
    }

    /** Frees the native handle. The database calls this when it is closed. */
    @Override
    protected final void disposeInternal(long handle) {
        if (!JniWrappers.closeFamily(handle)) {
            NativeFamilies.close(handle);
        }
    }

    private static native void disposeInternalJni(long handle);

    static void jniDisposeInternalJni(long handle) {
        NativeMethods.require("Java_org_rocksdb_ColumnFamilyHandle_disposeInternalJni");
        disposeInternalJni(handle);
    }

    void endWithDatabase() {
        closed = true;
        disOwnNativeHandle();
        disposeInternal(nativeHandle_);
    }
}
