package dev.outcrop.rocksdb.engine.callbacks;

/** The kinds of callbacks, with the calls that they may make. */
public enum CallbackKind {
    /** Called in the middle of reads and writes, even while RocksDB holds the lock of the database. */
    COMPARATOR("comparator", false),
    /** Called like comparators. */
    PREFIX_EXTRACTOR("prefix extractor", false),
    /** Called even while RocksDB holds the lock of the database. */
    LOGGER("logger", false),
    /** Called without any lock, but perhaps in the middle of reading a key, see {@link CallbackGuard}. */
    MERGE_OPERATOR("merge operator", true),
    COMPACTION_FILTER("compaction filter",
            true),
    COMPACTION_FILTER_FACTORY("compaction filter factory", true),
    /** RocksDB releases its lock before it calls listeners. */
    EVENT_LISTENER("event listener", true),
    COMPACTION_SERVICE("compaction service", false),
    /** Called by iterators, which hold no lock. */
    TABLE_FILTER("table filter", true),
    /** Called while a database is opened, before it can be used. */
    WAL_FILTER("WAL filter", true),
    /** Called while RocksDB holds the lock of traces. Each read and write takes this lock. */
    TRACE_WRITER("trace writer", false),
    /** Called in a write to a transaction, while the transaction has locked keys. */
    TRANSACTION_NOTIFIER("transaction notifier", true),
    BACKUP_PROGRESS("progress callback", true),
    BACKUP_EXCLUSION("exclusion of files",
            true);

    private final String what;
    private final boolean mayRead;

    CallbackKind(String what, boolean mayRead) {
        this.what = what;
        this.mayRead = mayRead;
    }

    /** Returns whether the callback may read its database. */
    public boolean mayRead() {
        return mayRead;
    }

    /** Returns whether the callback decides about the entries of a compaction. */
    public boolean isCompacting() {
        return this == MERGE_OPERATOR || this == COMPACTION_FILTER || this == COMPACTION_FILTER_FACTORY;
    }

    @Override
    public String toString() {
        return what;
    }
}
