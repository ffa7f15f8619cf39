package dev.outcrop.rocksdb.engine.callbacks;

/** What RocksDB calls back, and what may be done from inside. */
public enum CallbackKind {
    /** RocksDB compares keys in the middle of reading and writing, also while it holds the lock of the database. */
    COMPARATOR("comparator", false),
    /** Called where comparators are. */
    PREFIX_EXTRACTOR("prefix extractor", false),
    /** RocksDB writes messages also while it holds the lock of the database. */
    LOGGER("logger", false),
    /** Called without any lock, but perhaps in the middle of reading a key, see {@link CallbackGuard}. */
    MERGE_OPERATOR("merge operator", true),
    COMPACTION_FILTER("compaction filter",
            true),
    COMPACTION_FILTER_FACTORY("compaction filter factory", true),
    /** RocksDB gives its lock back before it tells listeners anything. */
    EVENT_LISTENER("event listener", true),
    COMPACTION_SERVICE("compaction service", false),
    /** Asked by iterators, which hold no lock. */
    TABLE_FILTER("table filter", true),
    /** Called while a database is opened, which nobody can use yet. */
    WAL_FILTER("WAL filter", true),
    BACKUP_PROGRESS("progress callback", true),
    BACKUP_EXCLUSION("exclusion of files",
            true);

    private final String what;
    private final boolean mayRead;

    CallbackKind(String what, boolean mayRead) {
        this.what = what;
        this.mayRead = mayRead;
    }

    /** Whether the database that calls may be read from inside. */
    public boolean mayRead() {
        return mayRead;
    }

    /** Whether it decides what a compaction makes of entries. */
    public boolean isCompacting() {
        return this == MERGE_OPERATOR || this == COMPACTION_FILTER || this == COMPACTION_FILTER_FACTORY;
    }

    @Override
    public String toString() {
        return what;
    }
}
