/**
 * RocksDB's C API, for the modules of this project only.
 *
 * <p>{@code CApi}, {@code CConstants} and {@code CStructs} are generated at build time from the table of facts in module
 * codegen; only {@link dev.outcrop.rocksdb.engine.capi.Linkage} is written by hand. Other packages call C functions only
 * by the methods of {@code CApi}.
 */
@NullMarked
package dev.outcrop.rocksdb.engine.capi;

import org.jspecify.annotations.NullMarked;
