package org.rocksdb;

import dev.outcrop.memory.Scratch;

/** How options are read from files and texts. It has no native part: what it says is given to native code by each call. */
public class ConfigOptions extends RocksObject {

    private volatile boolean ignoreUnknown;
    private volatile Env env = Env.getDefault();

    /** As RocksDB reads options if nobody says otherwise. */
    public ConfigOptions() {
        super(0);
    }

    /**
     * Sets what stands between options in texts. Files and properties have none, so that it changes nothing.
     *
     * @param delimiter a text
     * @return this object
     */
    public ConfigOptions setDelimiter(String delimiter) {
        java.util.Objects.requireNonNull(delimiter, "delimiter");
        return used();
    }

    /**
     * Sets whether options are skipped that RocksDB does not know. It skips those in files of later versions only.
     *
     * @param ignore whether they are; otherwise they are an error
     * @return this object
     */
    public ConfigOptions setIgnoreUnknownOptions(boolean ignore) {
        ignoreUnknown = ignore;
        return used();
    }

    /**
     * Sets where files are read.
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
     * Sets whether texts have backslashes before special characters. Those in files always do, so that it changes nothing.
     *
     * @param escaped whether they do
     * @return this object
     */
    public ConfigOptions setInputStringsEscaped(boolean escaped) {
        return used();
    }

    /**
     * Sets how options are compared with those of a file. Nothing that this class is for compares them.
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
