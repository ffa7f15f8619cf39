/**
 * Suite {@code lmdb}: gets and scans of data that fits in memory, against LMDB through LMDBJava. It shows where another kind of store is
 * the better choice. LMDB is a B+ tree in a mapped file: a read walks pages in place, with no block cache, no checksums and no levels to
 * merge. Writing many records is slower than in RocksDB.
 *
 * <p>Both sides take turns in one process, each with its own store of the same records. RocksDB's records are in the block cache, and
 * LMDB's are in the memory of the system. LMDBJava is used in its fastest mode: it sets the addresses of direct buffers with
 * {@code Unsafe}, its own checks are off, keys and values are not copied, and one cursor and one read transaction are kept. The JVM gets
 * the flags that this needs. Like a RocksDB snapshot, a transaction sees no later writes. A separate row begins a new transaction for each
 * get, because a RocksDB get also sees the latest writes. The limit is the time of C for the same work on RocksDB. The rest of the
 * difference comes from the engine, not from the binding.
 */
@NullMarked
package dev.outcrop.benchmarks.lmdb;

import org.jspecify.annotations.NullMarked;
