package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.callbacks.OpeningOrder;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * What opening a database gave.
 *
 * @param db            the {@code rocksdb_t *}
 * @param kind          what kind of database it is
 * @param options       what it was opened with
 * @param families      the handles of all its column families, by name
 * @param familyOptions the options of families that have their own, by name
 * @param order         to be closed as soon as the database is known
 */
record OpenedHandles(long db, DatabaseKind kind, Options options, Map<String, Long> families,
        Map<String, Options> familyOptions, OpeningOrder order) {
    /** A constant, because {@link #close()} must do without new objects. */
    private static final BiConsumer<String, Long> DESTROY = OpenedHandles::destroy;

    Options options(String family) {
        return familyOptions.getOrDefault(family, options);
    }

    /** Closes what nobody has taken over yet. Allocates nothing, because it is for when memory has run out. */
    void close() {
        families.forEach(DESTROY);
        kind.close(db);
        order.close();
    }

    private static void destroy(String family, long handle) {
        NativeFamilies.close(handle);
    }
}
