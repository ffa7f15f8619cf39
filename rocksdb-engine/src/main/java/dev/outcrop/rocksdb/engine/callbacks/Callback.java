package dev.outcrop.rocksdb.engine.callbacks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A Java object that RocksDB calls, and the number that RocksDB knows it by. */
public final class Callback {
    /** Stands in each place of the table that was used before. */
    public static final Callback NONE = new Callback(-1, "nothing", "nothing", CallbackKind.LOGGER, "");

    public final long id;
    /** The calls of this test. */
    public final Object target;
    /** The user's object, which options name. */
    public final Object owner;
    public final CallbackKind kind;
    private final String name;
    /** Holds the name as C wants it, for as long as this object is reachable. */
    private final MemorySegment nameMemory;
    public final long cName;
    /** How many calls have failed; only for the rate of log messages, so it may miss some. */
    public int failures;

    public Callback(long id, Object target, Object owner, CallbackKind kind, String name) {
        this.id = id;
        this.target = target;
        this.owner = owner;
        this.kind = kind;
        this.name = name.isEmpty() ? kind.toString() : kind + " " + name;
        this.nameMemory = Arena.ofAuto().allocateFrom(name);
        this.cName = nameMemory.address();
    }

    @Override
    public String toString() {
        return name;
    }
}
