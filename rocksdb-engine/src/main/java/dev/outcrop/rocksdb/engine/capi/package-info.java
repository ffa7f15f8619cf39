/**
 * RocksDB's C API as it is, for the modules of this project only.
 *
 * <p>{@code CApi}, {@code CConstants} and {@code CStructs} are generated at build time from the table of facts in module
 * codegen; only {@link dev.outcrop.rocksdb.engine.capi.Linkage} is written by hand. Nothing outside this package names a C
 * function except by calling its method in {@code CApi}.
 */
@NullMarked
package dev.outcrop.rocksdb.engine.capi;

import org.jspecify.annotations.NullMarked;
