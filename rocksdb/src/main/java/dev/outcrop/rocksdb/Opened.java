package dev.outcrop.rocksdb;

import java.util.Map;

/**
 * What opening a database gave.
 *
 * @param db            the {@code rocksdb_t *}
 * @param kind          what kind of database it is
 * @param options       what it was opened with
 * @param families      the handles of all its column families, by name
 * @param familyOptions the options of families that have their own, by name
 */
record Opened(long db, DatabaseKind kind, Options options, Map<String, Long> families,
        Map<String, Options> familyOptions) {
    Options options(String family) {
        return familyOptions.getOrDefault(family, options);
    }
}
