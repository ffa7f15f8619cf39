/**
 * Callbacks from RocksDB to Java. RocksDB knows a Java object by a number ({@link dev.outcrop.rocksdb.engine.callbacks.Callbacks}), and calls
 * one function pointer for each kind of callback. The APIs have the adapters to users' interfaces. This package keeps the process alive,
 * whatever users' code does:
 * <ul>
 * <li>an exception waits in {@link dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks} until the native call has returned
 * ({@link dev.outcrop.rocksdb.engine.callbacks.CallbackFailures}), or for the method that waits for a compaction
 * ({@link dev.outcrop.rocksdb.engine.callbacks.CompactionFailures});
 * <li>RocksDB gets an answer even without memory and stack
 * ({@link dev.outcrop.rocksdb.engine.callbacks.CallbackFallbacks});
 * <li>a call from inside a callback is refused if it would wait for that callback
 * ({@link dev.outcrop.rocksdb.engine.callbacks.CallbackGuard});
 * <li>a comparator that throws or contradicts itself is detected
 * ({@link dev.outcrop.rocksdb.engine.callbacks.CheckedComparator}), and its databases are stopped
 * ({@link dev.outcrop.rocksdb.engine.callbacks.ComparatorWatchdog});
 * <li>the process can end although RocksDB's threads have called Java
 * ({@link dev.outcrop.rocksdb.engine.callbacks.ProcessEnd}).
 * </ul>
 */
@NullMarked
package dev.outcrop.rocksdb.engine.callbacks;

import org.jspecify.annotations.NullMarked;
