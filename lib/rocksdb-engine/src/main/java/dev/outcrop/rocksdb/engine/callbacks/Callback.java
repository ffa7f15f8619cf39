package dev.outcrop.rocksdb.engine.callbacks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.regex.Pattern;

/** A Java object that RocksDB calls, and the number that RocksDB knows it by. */
public final class Callback {
    /** Fills places of the table that have become free again. */
    public static final Callback NONE = new Callback(-1, "nothing", "nothing", CallbackKind.LOGGER, "");

    /**
     * RocksDB's option files use the other characters in their syntax, and RocksDB refuses to open a database if it cannot read the stored
     * options.
     */
    private static final Pattern NAME = Pattern.compile("[\\p{Graph}&&[^{};=#\\\\]]+( [\\p{Graph}&&[^{};=#\\\\]]+)*");

    public final long id;
    /** The object that is called. */
    public final Object target;
    /** The user's object, which options name. */
    public final Object owner;
    public final CallbackKind kind;
    private final String name;
    /** The name as a C string, which lives as long as this object. */
    private final MemorySegment nameMemory;
    public final long cName;
    /** The number of failed calls, for the rate of log messages; it may miss some. */
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

    /**
     * A user's object that RocksDB may call. Options keep it, and open databases keep the options. So databases know their callbacks.
     *
     * @param object the user's object
     */
    public record Owner(Object object) {
    }

    /** Returns the name of a callback, if RocksDB can store it with a database. */
    public static String requireName(String what, String name) {
        if (!NAME.matcher(name).matches() || name.equals("nullptr")) {
            throw new IllegalArgumentException("'" + name + "' cannot be the name of a " + what
                    + ": it must be of visible ASCII characters other than { } ; = # \\, with single spaces inside at most");
        }
        return name;
    }

    @Override
    public String toString() {
        return name;
    }
}
