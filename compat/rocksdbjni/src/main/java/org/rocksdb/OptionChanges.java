package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.OptionLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks changes of the options of open databases, by making the changes on a copy. RocksDB itself refuses options that it does not
 * understand.
 */
final class OptionChanges {

    private static final String PURGING = "experimental_mempurge_threshold";
    private static final String OFF = "0";

    private OptionChanges() {
    }

    /** Returns the values to which options are set. Corrects some of them. Called while changes are locked. */
    static List<String> corrected(RocksDB database, List<String> names, List<String> values) {
        List<String> corrected = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            boolean isPurging = names.get(i).strip().equals(PURGING);
            database.state_.purgeIf(isPurging);
            corrected.add(isPurging && database.state_.whole().deletesRanges
                    ? OFF
                    : OptionLimits.corrected(names.get(i), values.get(i)));
        }
        return corrected;
    }

    /**
     * Turns off the purging of full memtables in memory for a family. Called before ranges are deleted: RocksDB takes samples of memtables,
     * and ends the process if a memtable has only deletions of ranges.
     */
    static void stopPurging(Scratch scratch, RocksDB database, ColumnFamilyHandle family) throws RocksDBException {
        if (family.deletesRanges) {
            return;
        }
        DatabaseState state = database.state_.whole();
        synchronized (state.changing) {
            state.deletesRanges = true;
            if (state.purges()) {
                NativeFamilies.setOptions(scratch, state.database.nativeHandle_, family.nativeHandle_, 1,
                        NativeValues.texts(scratch, List.of(PURGING)), NativeValues.texts(scratch, List.of(OFF)));
                Errors.check(scratch);
            }
            family.deletesRanges = true;
        }
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

    /** Checks changes of family options. Some of them depend on the values of other options. */
    static void check(ColumnFamilyHandle family, List<String> names, List<String> values) throws RocksDBException {
        if (OptionLimits.mayStall(names)) {
            try (ColumnFamilyOptions now = family.getDescriptor().getOptions()) {
                check(now.nativeHandle_, names, values);
            }
        } else {
            check(names, values);
        }
    }

    private static void check(long now, List<String> names, List<String> values) throws RocksDBException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            String value = values.get(i);
            // Unlike in a change, in a text a value without braces ends at a semicolon.
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
                throw new IllegalArgumentException("Writes would wait forever: " + stalling);
            }
        } finally {
            NativeDbOptions.destroy(trial);
        }
    }
}
