package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.OptionLimits;
import java.util.List;

/** Checks changes of the options of open databases by making them on a copy. RocksDB itself refuses options that it does not understand. */
final class OptionChanges {

    private OptionChanges() {
    }

    /** Checks changes of database options. */
    static void check(List<String> names, List<String> values) throws RocksDBException {
        long none = NativeDbOptions.create();
        try {
            check(none, names, values);
        } finally {
            NativeDbOptions.destroy(none);
        }
    }

    /** Checks changes of family options. Only RocksDB's file of options has their current values. */
    static void check(RocksDB database, ColumnFamilyHandle family, List<String> names, List<String> values)
            throws RocksDBException {
        try (StoredOptions stored = OptionLimits.mayStall(names) ? latest(database) : null) {
            long now = stored == null
                    ? 0
                    : stored.family(family.getName(), tables(database));
            if (now == 0) {
                check(names, values);
            } else {
                check(now, names, values);
            }
        }
    }

    /** Returns the latest options; null if they cannot be read, for example if files were deleted. */
    private static StoredOptions latest(RocksDB database) {
        try {
            return new StoredOptions(database.state_.path, database.state_.env(), true);
        } catch (RocksDBException e) {
            return null;
        }
    }

    /** Returns the stored tables; none if they cannot be read. */
    private static StoredTableFormats tables(RocksDB database) {
        try {
            return new StoredTableFormats(OptionsUtil.latest(database.state_.env(), database.state_.path));
        } catch (RocksDBException e) {
            return new StoredTableFormats("");
        }
    }

    private static void check(long now, List<String> names, List<String> values) throws RocksDBException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            String value = values.get(i);
            OptionChecks.checkChange(names.get(i), value);
            // In a text, unlike in a change, a value without braces ends at a semicolon.
            boolean isList = value.contains(";") && !value.startsWith("{");
            text.append(names.get(i)).append('=').append(isList ? "{" + value + "}" : value).append(';');
        }
        long trial = NativeDbOptions.copy(now);
        try (Scratch scratch = Scratch.open()) {
            NativeDbOptions.parse(now, NativeValues.text(scratch, text.toString()), trial,
                    Errors.place(scratch));
            Errors.forget(scratch);
            OptionChecks.checkOptions(trial);
            String stalling = OptionLimits.stalling(trial, names);
            if (stalling != null) {
                throw new IllegalArgumentException("Writes would wait for ever: " + stalling);
            }
        } finally {
            NativeDbOptions.destroy(trial);
        }
    }
}
