package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.internal.OptionLimits;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Refuses options that are outside the {@link OptionLimits}. */
final class SafeOptions {
    private SafeOptions() {
    }

    static void require(Path path, Options options) {
        synchronized (options) {
            refuse(path, OptionLimits.fatal(options.reading()));
            refuse(path, OptionLimits.refused(options.reading()));
        }
    }

    private static void refuse(Path path, @Nullable String broken) {
        if (broken != null) {
            throw DatabaseOpener.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, broken);
        }
    }
}
