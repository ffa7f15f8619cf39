/**
 * The engine under the APIs over RocksDB. It does not know their types, and is exported only to them.
 *
 * <p>For a call, an API enters a handle, such as a {@link dev.outcrop.rocksdb.engine.FamilyHandle}. The handle gives scratch memory and
 * stays open meanwhile. A class of the engine, such as {@link dev.outcrop.rocksdb.engine.PointReads}, copies keys and values to native
 * memory, and calls one function of {@code CApi}. The API then checks the scratch memory. Methods that only pass on their arguments are
 * generated from a table (decision 24).
 *
 * <p>The engine throws no exception of an API. It leaves RocksDB's error in the scratch memory, or returns a
 * {@link dev.outcrop.rocksdb.engine.NativeStatus}, which is null if there is no error. The API makes its own exception from that. Misuse,
 * such as a call after a close, throws the JDK's exceptions.
 *
 * <p>Reads of many keys are a {@link dev.outcrop.rocksdb.engine.MultiGetRequest}: {@link dev.outcrop.rocksdb.engine.KeyGroups} orders them by
 * column family, and a {@link dev.outcrop.rocksdb.engine.PinTable} has the results.
 */
@NullMarked
package dev.outcrop.rocksdb.engine;

import org.jspecify.annotations.NullMarked;
