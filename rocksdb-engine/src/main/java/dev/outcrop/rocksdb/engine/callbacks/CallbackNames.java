package dev.outcrop.rocksdb.engine.callbacks;

import java.util.regex.Pattern;

/** The names of callbacks, which RocksDB stores with a database. */
public final class CallbackNames {
    /** What RocksDB's files of options use for themselves; it refuses to open a database whose stored options it cannot read. */
    private static final Pattern ALLOWED = Pattern
            .compile("[\\p{Graph}&&[^{};=#\\\\]]+( [\\p{Graph}&&[^{};=#\\\\]]+)*");

    private CallbackNames() {
    }

    /** Returns the name, if it is one that can be stored. */
    public static String check(String what, String name) {
        if (!ALLOWED.matcher(name).matches() || name.equals("nullptr")) {
            throw new IllegalArgumentException("'" + name + "' cannot be the name of a " + what
                    + ": it must be of visible ASCII characters other than { } ; = # \\, with single spaces inside at most");
        }
        return name;
    }
}
