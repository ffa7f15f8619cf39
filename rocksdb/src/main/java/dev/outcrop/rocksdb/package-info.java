/**
 * RocksDB as a modern Java API over its C API, with values as {@link java.lang.foreign.MemorySegment}s.
 *
 * <p>Priorities, in this order: nothing the caller does crashes the JVM; a read or write costs what it costs in C, with one native
 * call and no allocation wherever that is possible; one way to do a thing.
 *
 * <p>{@link dev.outcrop.rocksdb.RocksDB} opens a database. What can be read and written stands in
 * {@link dev.outcrop.rocksdb.KeyValueReader} and {@link dev.outcrop.rocksdb.KeyValueWriter}; a database is both, and
 * {@code db.with(options)} gives a view of it that reads or writes with other options.
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
 * <p>What is behind it is in packages that are not exported: {@code internal}, the engine, which knows no type of this package, and
 * {@code capi}, the generated binding. {@code Native} makes this package's exceptions of what the engine says, and {@code Store} and
 * {@code Family} are what an open database and a column family know beside their handles.
 *
 * <p>Everything here is thread-safe unless its documentation says otherwise. Failures are
 * {@link dev.outcrop.rocksdb.RocksDBException}s; using something after it was closed is an {@link IllegalStateException}; a null
 * argument is a {@link NullPointerException}.
 */
@NullMarked
package dev.outcrop.rocksdb;

import org.jspecify.annotations.NullMarked;
