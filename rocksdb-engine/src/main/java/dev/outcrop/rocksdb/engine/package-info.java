/**
 * The engine: what any API over RocksDB needs, and none of their types. Exported to no other module but such APIs.
 *
 * <p>A call goes like this: an API enters what it reads or writes, for example a {@link dev.outcrop.rocksdb.engine.FamilyHandle}, which
 * gives scratch memory and keeps it open. A class of the engine, for example {@link dev.outcrop.rocksdb.engine.PointReads}, puts keys and
 * values where native code may read them, and calls one function of {@code CApi}. The API then checks the scratch memory.
 *
 * <p>The engine throws no exception of an API. It leaves RocksDB's error in the scratch memory, or returns a
 * {@link dev.outcrop.rocksdb.engine.NativeStatus}, which is null if nothing is wrong; the API makes its own exception of it. Wrong use,
 * such as a call after a close, is the same for all and throws the JDK's exceptions.
 *
 * <p>Reads of many keys are a {@link dev.outcrop.rocksdb.engine.PinTable} that
 * {@link dev.outcrop.rocksdb.engine.KeyGroups} order and one {@link dev.outcrop.rocksdb.engine.KeysLookUp} fills.
 */
@NullMarked
package dev.outcrop.rocksdb.engine;

import org.jspecify.annotations.NullMarked;
