package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.util.Objects;

/** The values of {@code ConfigOptions}. */
final class ConfigSettings {

    private final ConfigOptions options;
    volatile boolean ignoresUnknown;
    volatile Env env = Env.getDefault();

    ConfigSettings(ConfigOptions options) {
        this.options = options;
    }

    /** Checks that the options are open. */
    ConfigSettings open() {
        try (Scratch _ = options.use()) {
            return this;
        }
    }

    void setEnv(Env used) {
        try (Scratch _ = options.use(); Scratch _ = used.use()) {
            env = used;
        }
    }

    /** Checks the value of a setting that has no effect. */
    void ignore(Object value, String name) {
        Objects.requireNonNull(value, name);
    }
}
