package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.OptionLimits;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses options that are outside the {@link OptionLimits}, or have prefixes that are not safe. */
final class SafeOptions {
    private SafeOptions() {
    }

    static void require(Path path, Options options) {
        synchronized (options) {
            refuse(path, OptionLimits.fatal(options.reading()));
            refuse(path, OptionLimits.refused(options.reading()));
            refuse(path, options.prefixes().refusal());
        }
    }

    /** Refuses a change that {@link #require} does not see. */
    static void requireChange(Path path, String option, String value) {
        refuse(path, OptionLimits.fatalChange(option, value));
    }

    /** Refuses changes with which writes would wait for ever. */
    static void requireWrites(Path path, Options options, Set<String> changed) {
        synchronized (options) {
            refuse(path, OptionLimits.stalling(options.reading(), changed));
        }
    }

    private static void refuse(Path path, @Nullable String broken) {
        if (broken != null) {
            throw DatabaseOpener.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, broken);
        }
    }
}
