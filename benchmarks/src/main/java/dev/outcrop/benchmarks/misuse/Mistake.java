package dev.outcrop.benchmarks.misuse;

/** A use after a close. Both sides make the same mistakes. */
enum Mistake {
    GET_FROM_CLOSED_DATABASE("get from a closed database", Use.GET),
    GET_INTO_BUFFER_FROM_CLOSED_DATABASE("get into a direct buffer from a closed database", Use.GET_INTO_BUFFER),
    MULTI_GET_FROM_CLOSED_DATABASE("multiGet from a closed database", Use.MULTI_GET),
    PUT_INTO_CLOSED_DATABASE("put into a closed database", Use.PUT),
    DELETE_FROM_CLOSED_DATABASE("delete from a closed database", Use.DELETE),
    BATCH_TO_CLOSED_DATABASE("write a batch to a closed database", Use.BATCH),
    FLUSH_CLOSED_DATABASE("flush a closed database", Use.FLUSH),
    PROPERTY_OF_CLOSED_DATABASE("property of a closed database", Use.PROPERTY),
    ITERATE_OVER_CLOSED_DATABASE("new iterator over a closed database", Use.ITERATE),
    SNAPSHOT_OF_CLOSED_DATABASE("new snapshot of a closed database", Use.SNAPSHOT),
    LOG_OF_CLOSED_DATABASE("log entries of a closed database", Use.LOG),
    FAMILY_IN_CLOSED_DATABASE("create a column family in a closed database", Use.CREATE_FAMILY),
    TRANSACTION_OF_CLOSED_DATABASE("begin a transaction of a closed database", Use.BEGIN),
    CHECKPOINT_OF_CLOSED_DATABASE("checkpoint of a closed database", Use.CHECKPOINT),
    BACKUP_OF_CLOSED_DATABASE("backup of a closed database", Use.BACKUP, true),
    GET_FROM_FAMILY_OF_CLOSED_DATABASE("get from a column family of a closed database", Use.GET_FROM_FAMILY, true),
    NEXT_OF_ITERATOR_OF_CLOSED_DATABASE("go on with an iterator whose database is closed", Use.NEXT, true),
    CLOSE_ITERATOR_OF_CLOSED_DATABASE("close an iterator whose database is closed", Use.CLOSE_ITERATOR, true),
    GET_AT_SNAPSHOT_OF_CLOSED_DATABASE("get at a snapshot whose database is closed", Use.GET_AT_SNAPSHOT, true),
    CLOSE_SNAPSHOT_OF_CLOSED_DATABASE("release a snapshot whose database is closed", Use.CLOSE_SNAPSHOT, true),
    NEXT_OF_LOG_OF_CLOSED_DATABASE("go on with the log of a closed database", Use.NEXT_OF_LOG, true),
    PUT_INTO_TRANSACTION_OF_CLOSED_DATABASE("put into a transaction whose database is closed",
            Use.PUT_INTO_TRANSACTION, true),
    COMMIT_TRANSACTION_OF_CLOSED_DATABASE("commit a transaction whose database is closed", Use.COMMIT, true),
    CLOSE_TRANSACTION_OF_CLOSED_DATABASE("close a transaction whose database is closed", Use.CLOSE_TRANSACTION, true),
    COMMIT_OPTIMISTIC_TRANSACTION_OF_CLOSED_DATABASE("commit an optimistic transaction whose database is closed",
            Use.COMMIT_OPTIMISTIC, true),
    INDEXED_BATCH_WITH_CLOSED_DATABASE("get from an indexed batch and a closed database", Use.GET_FROM_INDEXED_BATCH),
    NEXT_OF_CLOSED_ITERATOR("go on with a closed iterator", Use.NEXT),
    KEY_OF_CLOSED_ITERATOR("key of a closed iterator", Use.KEY),
    GET_AT_CLOSED_SNAPSHOT("get at a released snapshot", Use.GET_AT_SNAPSHOT),
    NUMBER_OF_CLOSED_SNAPSHOT("sequence number of a released snapshot", Use.NUMBER_OF_SNAPSHOT),
    GET_FROM_CLOSED_FAMILY("get from a column family that was dropped and closed", Use.GET_FROM_FAMILY),
    PUT_INTO_CLOSED_TRANSACTION("put into a closed transaction", Use.PUT_INTO_TRANSACTION),
    COMMIT_CLOSED_TRANSACTION("commit a closed transaction", Use.COMMIT),
    NEXT_OF_ITERATOR_OF_CLOSED_TRANSACTION("go on with an iterator whose transaction is closed",
            Use.NEXT_IN_TRANSACTION),
    PUT_INTO_CLOSED_INDEXED_BATCH("put into a closed indexed batch", Use.PUT_INTO_INDEXED_BATCH),
    NEXT_OF_CLOSED_LOG("go on with a closed log", Use.NEXT_OF_LOG),
    PUT_INTO_CLOSED_TABLE_WRITER("put into a closed table file writer", Use.PUT_INTO_TABLE),
    CREATE_WITH_CLOSED_BACKUP_ENGINE("backup with a closed backup engine", Use.BACKUP),
    READ_CLOSED_VALUE("read a pinned value that was closed", Use.READ_VALUE),
    CLOSE_DATABASE_TWICE("close a database twice", Use.CLOSE_DATABASE),
    CLOSE_ITERATOR_TWICE("close an iterator twice", Use.CLOSE_ITERATOR),
    CLOSE_TRANSACTION_TWICE("close a transaction twice", Use.CLOSE_TRANSACTION),
    RACE_OF_GET("get while another thread closes the database", Use.GET),
    RACE_OF_PUT("put while another thread closes the database", Use.PUT),
    RACE_OF_ITERATION("iterate while another thread closes the database", Use.ITERATE),
    RACE_OF_ITERATOR("iterate while another thread closes the iterator", Use.SEEK_AND_NEXT),
    RACE_OF_SNAPSHOT("get at a snapshot while another thread releases it", Use.GET_AT_SNAPSHOT),
    RACE_OF_TRANSACTION("put into a transaction while another thread closes it", Use.PUT_INTO_TRANSACTION);

    private final String text;
    private final Use use;
    private final boolean closesDatabase;

    Mistake(String text, Use use) {
        this(text, use, false);
    }

    Mistake(String text, Use use, boolean closesDatabase) {
        this.text = text;
        this.use = use;
        this.closesDatabase = closesDatabase;
    }

    /** A use of an object of a library. */
    enum Use {
        GET,
        GET_INTO_BUFFER,
        MULTI_GET,
        PUT,
        DELETE,
        BATCH,
        FLUSH,
        PROPERTY,
        ITERATE,
        SNAPSHOT,
        LOG,
        CREATE_FAMILY,
        CHECKPOINT,
        CLOSE_DATABASE,
        BACKUP,
        GET_FROM_FAMILY,
        NEXT,
        SEEK_AND_NEXT,
        KEY,
        CLOSE_ITERATOR,
        GET_AT_SNAPSHOT,
        NUMBER_OF_SNAPSHOT,
        CLOSE_SNAPSHOT,
        NEXT_OF_LOG,
        BEGIN,
        PUT_INTO_TRANSACTION,
        COMMIT,
        CLOSE_TRANSACTION,
        NEXT_IN_TRANSACTION,
        COMMIT_OPTIMISTIC,
        GET_FROM_INDEXED_BATCH,
        PUT_INTO_INDEXED_BATCH,
        PUT_INTO_TABLE,
        READ_VALUE
    }

    /** The description, for people. */
    String text() {
        return text;
    }

    Use use() {
        return use;
    }

    /** Returns whether the database of the used object is closed, and not the object. */
    boolean closesDatabase() {
        return closesDatabase;
    }

    /** Returns whether the object is used again and again while it is closed, and not only afterwards. */
    boolean isRace() {
        return name().startsWith("RACE_");
    }
}
