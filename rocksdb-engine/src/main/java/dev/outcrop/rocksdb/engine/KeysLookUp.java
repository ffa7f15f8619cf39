package dev.outcrop.rocksdb.engine;

/** How a request for many keys looks them up. */
@FunctionalInterface
public interface KeysLookUp {
    /** Starts to use what is read, before anything else is entered. */
    default void begin() {
        // Any number of threads may read a database.
    }

    /** Ends what {@link #begin()} started. */
    default void end() {
        // Nothing was begun.
    }

    /**
     * Looks up keys of a column family, which is entered. All addresses are of arrays.
     *
     * @param slices a {@code rocksdb_slice_t} for each key
     * @param pins   where a {@code rocksdb_pinnableslice_t *} goes for each key that is there; zeros before
     * @param errors where a message goes for each key that cannot be read; zeros before
     */
    void lookUp(FamilyHandle family, long count, long slices, long pins, long errors, boolean isSorted);
}
