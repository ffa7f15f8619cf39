/**
 * Suite {@code lmdb}: gets and scans of data that fits in memory, against LMDB through LMDBJava. A reader sees where another kind of store is
 * the better choice. LMDB is a B+ tree in a mapped file: a read walks pages in place, with no block cache, no checksums and no
 * levels to merge, and many records are written more slowly than into RocksDB.
 *
 * <p>Both take turns in one process, each with its own store of the same records, RocksDB's in the block cache, LMDB's in the memory of the
 * system. LMDBJava is used as it is fastest: direct buffers whose addresses it sets by {@code Unsafe}, its own checks switched off, keys and
 * values without a copy, one cursor and one reading transaction that are kept. The JVM gets the flags that this needs. A transaction sees no
 * later write, as a RocksDB snapshot; a row of its own begins a new one for each get, as a get of RocksDB does. The limit is what C needs for
 * the same work on RocksDB: the rest of the difference is the engine's, not the binding's.
 */
@NullMarked
package dev.outcrop.benchmarks.lmdb;

import org.jspecify.annotations.NullMarked;
