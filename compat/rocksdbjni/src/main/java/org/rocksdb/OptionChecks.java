package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.TableChecks;

/** Checks the limits of numbers. Beyond these limits RocksDB would end the process. */
final class OptionChecks {

    /** The most threads: RocksDB ends the process if it cannot start a thread. */
    static final int MOST_THREADS = OptionLimits.THREADS_OF_A_PROCESS;

    private OptionChecks() {
    }

    /** Corrects and checks a native copy of options. Called before something is opened with the copy. */
    static void checkOptions(long options) throws RocksDBException {
        String fatal = OptionLimits.correct(options);
        if (fatal != null) {
            throw new IllegalArgumentException("RocksDB would end the process: " + fatal);
        }
        require(Status.Code.IOError, OptionLimits.unstorable(options));
        require(Status.Code.InvalidArgument, OptionLimits.withoutBuffer(options));
    }

    /** Checks that table files can be written with a native copy of options, before the database is opened with it again. */
    static void checkTables(long options) throws RocksDBException {
        require(Status.Code.InvalidArgument, TableChecks.refusal(options));
    }

    private static void require(Status.Code code, String problem) throws RocksDBException {
        if (problem != null) {
            throw new RocksDBException(new Status(code, Status.SubCode.None, problem));
        }
    }

    static void checkLevels(long options) {
        check("numLevels", NativeDbOptions.levels(options), 0, OptionLimits.MANY_LEVELS);
    }

    static long check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " must be between " + least + " and " + most + ", not " + value);
        }
        return value;
    }
}
