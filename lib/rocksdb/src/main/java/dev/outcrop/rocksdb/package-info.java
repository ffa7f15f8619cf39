/**
 * A modern Java API for RocksDB on top of its C API, with values as {@link java.lang.foreign.MemorySegment}s.
 *
 * <p>Priorities, in this order: nothing the caller does crashes the JVM; a read or write costs what it costs in C, with one native
 * call and no allocation wherever that is possible; one way to do a thing.
 *
 * <p>{@link dev.outcrop.rocksdb.RocksDB} opens a database. {@link dev.outcrop.rocksdb.KeyValueReader} and {@link
 * dev.outcrop.rocksdb.KeyValueWriter} list the reads and writes; a database is both, and {@code db.with(options)} gives a view of it that
 * reads or writes with other options.
 *
 * <p>How a value reaches the caller is the caller's choice, and the reason for this package:
 * <ul>
 * <li><b>copied into the caller's memory</b>, for small values: one native call and no allocation;
 * <li><b>pinned</b>, for large values: the bytes of RocksDB's own block cache, without a copy, until the
 * {@link dev.outcrop.rocksdb.PinnedSlice} is closed;
 * <li><b>hybrid</b>: whichever of the two is cheaper for this value;
 * <li><b>as a new {@code byte[]}</b>, for convenience.
 * </ul>
 *
 * <p>Everything here is thread-safe unless its documentation says otherwise. Failures are {@link dev.outcrop.rocksdb.RocksDBException}s. A
 * null argument is a {@link NullPointerException}. Closed objects, dropped column families, and setters of options that are in use and can
 * no longer change throw an {@link IllegalStateException}. The first call that needs RocksDB throws an {@link IllegalStateException} if the
 * JVM was started without native access for Outcrop, and an {@link UnsatisfiedLinkError} if the native library cannot be found or loaded.
 *
 * <p>The module {@code rocksdb-engine}, which is not exported to users, makes the native calls and knows no type of this package.
 */
@NullMarked
package dev.outcrop.rocksdb;

import org.jspecify.annotations.NullMarked;
