package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.OptionLimits;

/** Limits of numbers, beyond which RocksDB would end the process. */
final class OptionChecks {

    /** The process ends if it cannot start more threads. */
    static final int MOST_THREADS = 4096;

    private OptionChecks() {
    }

    /** Checks native options before something is opened with them. */
    static void checkOptions(long options) throws RocksDBException {
        String fatal = OptionLimits.fatal(options);
        if (fatal != null) {
            throw new IllegalArgumentException("RocksDB would end the process: " + fatal);
        }
        String refused = OptionLimits.refused(options);
        if (refused != null) {
            throw new RocksDBException(new Status(Status.Code.InvalidArgument, Status.SubCode.None, refused));
        }
    }

    /** Checks a change that {@link #checkOptions} cannot see. */
    static void checkChange(String option, String value) {
        String fatal = OptionLimits.fatalChange(option, value);
        if (fatal != null) {
            throw new IllegalArgumentException("RocksDB would end the process: " + fatal);
        }
    }

    static void checkLevels(long options) {
        check("numLevels", NativeDbOptions.levels(options), 0, OptionLimits.MOST_LEVELS);
    }

    static void check(String what, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(what + " must be between " + least + " and " + most + ", not " + value);
        }
    }

    /** RocksDB cannot store others. */
    static void checkFinite(String what, double value) {
        check(what, value, -Double.MAX_VALUE, Double.MAX_VALUE);
    }

    static long check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " must be between " + least + " and " + most + ", not " + value);
        }
        return value;
    }
}
