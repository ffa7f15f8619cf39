package org.rocksdb;

import dev.outcrop.memory.Scratch;

/** Settings for reading options from files and texts. There is no native object: each call passes the settings to native code. */
public class ConfigOptions extends RocksObject {

    private volatile boolean ignoreUnknown;
    private volatile Env env = Env.getDefault();

    /** Makes RocksDB's default settings. */
    public ConfigOptions() {
        super(0);
    }

    /**
     * Sets the delimiter of options in texts. Files and properties have none, so it has no effect.
     *
     * @param delimiter a text
     * @return this object
     */
    public ConfigOptions setDelimiter(String delimiter) {
        java.util.Objects.requireNonNull(delimiter, "delimiter");
        return used();
    }

    /**
     * Sets whether unknown options are skipped. RocksDB skips only those in files of later versions.
     *
     * @param ignore whether they are; otherwise they are an error
     * @return this object
     */
    public ConfigOptions setIgnoreUnknownOptions(boolean ignore) {
        ignoreUnknown = ignore;
        return used();
    }

    /**
     * Sets the env for reading files.
     *
     * @param env an env
     * @return this object
     */
    public ConfigOptions setEnv(Env env) {
        try (Scratch _ = env.use()) {
            this.env = env;
        }
        return used();
    }

    /**
     * Sets whether special characters in texts are escaped with backslashes. Files always escape them, so it has no effect.
     *
     * @param escaped whether they do
     * @return this object
     */
    public ConfigOptions setInputStringsEscaped(boolean escaped) {
        return used();
    }

    /**
     * Sets how options are compared with those of a file. It has no effect, because options are never compared.
     *
     * @param level how
     * @return this object
     */
    public ConfigOptions setSanityLevel(SanityLevel level) {
        java.util.Objects.requireNonNull(level, "level");
        return used();
    }

    boolean ignoresUnknown() {
        return ignoreUnknown;
    }

    Env env() {
        return env;
    }

    private ConfigOptions used() {
        try (Scratch _ = use()) {
            return this;
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
    }
}
