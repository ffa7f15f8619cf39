/**
 * The engine: what any API over RocksDB needs, and none of their types. Exported to no other module but such APIs.
 *
 * <p>A call goes like this: a {@link dev.outcrop.rocksdb.engine.DatabaseHandle} or
 * {@link dev.outcrop.rocksdb.engine.FamilyHandle} is entered, which gives scratch memory and keeps it open;
 * {@link dev.outcrop.rocksdb.engine.NativeCall} puts keys and values where native code may read them; one function of {@code CApi} is
 * called; {@code NativeCall.check} looks whether RocksDB, or a callback meanwhile, has failed.
 *
 * <p>The engine speaks of failures in RocksDB's own numbers ({@link dev.outcrop.rocksdb.engine.NativeStatus}). What is thrown is the
 * API's matter: it hands one {@link dev.outcrop.rocksdb.engine.Failures} to whatever may fail. Wrong use, such as a call after a close,
 * is the same for all and throws the JDK's exceptions.
 *
 * <p>Reads of many keys are a {@link dev.outcrop.rocksdb.engine.PinTable} that
 * {@link dev.outcrop.rocksdb.engine.KeyGroups} order and one {@link dev.outcrop.rocksdb.engine.KeysLookUp} fills.
 */
@NullMarked
package dev.outcrop.rocksdb.engine;

import org.jspecify.annotations.NullMarked;
