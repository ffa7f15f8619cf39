package dev.outcrop.benchmarks.misuse;

/** A use after a close. Both sides make the same mistakes. */
enum Mistake {
    GET_FROM_CLOSED_DATABASE("get from a closed database"),
    GET_INTO_BUFFER_FROM_CLOSED_DATABASE("get into a direct buffer from a closed database"),
    MULTI_GET_FROM_CLOSED_DATABASE("multiGet from a closed database"),
    PUT_INTO_CLOSED_DATABASE("put into a closed database"),
    DELETE_FROM_CLOSED_DATABASE("delete from a closed database"),
    BATCH_TO_CLOSED_DATABASE("write a batch to a closed database"),
    FLUSH_CLOSED_DATABASE("flush a closed database"),
    PROPERTY_OF_CLOSED_DATABASE("property of a closed database"),
    ITERATE_OVER_CLOSED_DATABASE("new iterator over a closed database"),
    SNAPSHOT_OF_CLOSED_DATABASE("new snapshot of a closed database"),
    LOG_OF_CLOSED_DATABASE("log entries of a closed database"),
    FAMILY_IN_CLOSED_DATABASE("create a column family in a closed database"),
    TRANSACTION_OF_CLOSED_DATABASE("begin a transaction of a closed database"),
    CHECKPOINT_OF_CLOSED_DATABASE("checkpoint of a closed database"),
    BACKUP_OF_CLOSED_DATABASE("backup of a closed database"),
    GET_FROM_FAMILY_OF_CLOSED_DATABASE("get from a column family of a closed database"),
    NEXT_OF_ITERATOR_OF_CLOSED_DATABASE("go on with an iterator whose database is closed"),
    CLOSE_ITERATOR_OF_CLOSED_DATABASE("close an iterator whose database is closed"),
    GET_AT_SNAPSHOT_OF_CLOSED_DATABASE("get at a snapshot whose database is closed"),
    CLOSE_SNAPSHOT_OF_CLOSED_DATABASE("release a snapshot whose database is closed"),
    NEXT_OF_LOG_OF_CLOSED_DATABASE("go on with the log of a closed database"),
    PUT_INTO_TRANSACTION_OF_CLOSED_DATABASE("put into a transaction whose database is closed"),
    COMMIT_TRANSACTION_OF_CLOSED_DATABASE("commit a transaction whose database is closed"),
    CLOSE_TRANSACTION_OF_CLOSED_DATABASE("close a transaction whose database is closed"),
    COMMIT_OPTIMISTIC_TRANSACTION_OF_CLOSED_DATABASE("commit an optimistic transaction whose database is closed"),
    INDEXED_BATCH_WITH_CLOSED_DATABASE("get from an indexed batch and a closed database"),
    NEXT_OF_CLOSED_ITERATOR("go on with a closed iterator"),
    KEY_OF_CLOSED_ITERATOR("key of a closed iterator"),
    GET_AT_CLOSED_SNAPSHOT("get at a released snapshot"),
    NUMBER_OF_CLOSED_SNAPSHOT("sequence number of a released snapshot"),
    GET_FROM_CLOSED_FAMILY("get from a column family that was dropped and closed"),
    PUT_INTO_CLOSED_TRANSACTION("put into a closed transaction"),
    COMMIT_CLOSED_TRANSACTION("commit a closed transaction"),
    NEXT_OF_ITERATOR_OF_CLOSED_TRANSACTION("go on with an iterator whose transaction is closed"),
    PUT_INTO_CLOSED_INDEXED_BATCH("put into a closed indexed batch"),
    NEXT_OF_CLOSED_LOG("go on with a closed log"),
    PUT_INTO_CLOSED_TABLE_WRITER("put into a closed table file writer"),
    CREATE_WITH_CLOSED_BACKUP_ENGINE("backup with a closed backup engine"),
    READ_CLOSED_VALUE("read a pinned value that was closed"),
    CLOSE_DATABASE_TWICE("close a database twice"),
    CLOSE_ITERATOR_TWICE("close an iterator twice"),
    CLOSE_TRANSACTION_TWICE("close a transaction twice"),
    RACE_OF_GET("get while another thread closes the database"),
    RACE_OF_PUT("put while another thread closes the database"),
    RACE_OF_ITERATION("iterate while another thread closes the database"),
    RACE_OF_ITERATOR("iterate while another thread closes the iterator"),
    RACE_OF_SNAPSHOT("get at a snapshot while another thread releases it"),
    RACE_OF_TRANSACTION("put into a transaction while another thread closes it");

    private final String text;

    Mistake(String text) {
        this.text = text;
    }

    /** Returns the description, for people. */
    String text() {
        return text;
    }

    /** Returns whether the mistake closes the database of the used object, instead of the object. */
    boolean closesDatabase() {
        return name().endsWith("_OF_CLOSED_DATABASE");
    }

    boolean isInTransaction() {
        return name().contains("TRANSACTION");
    }

    /** Returns whether the object is used repeatedly while it is being closed, and not only afterwards. */
    boolean isRace() {
        return name().startsWith("RACE_");
    }
}
