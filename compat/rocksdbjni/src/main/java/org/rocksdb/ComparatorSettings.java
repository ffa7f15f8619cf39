package org.rocksdb;

import dev.outcrop.memory.Scratch;

/** The values of {@code ComparatorOptions}. */
final class ComparatorSettings {

    private final ComparatorOptions options;
    boolean isDirect = true;
    int maxReusedBufferSize = 64;
    ReusedSynchronisationType synchronisation = ReusedSynchronisationType.ADAPTIVE_MUTEX;

    ComparatorSettings(ComparatorOptions options) {
        this.options = options;
    }

    /** Checks that the options are open. */
    ComparatorSettings open() {
        try (Scratch _ = options.use()) {
            return this;
        }
    }
}
