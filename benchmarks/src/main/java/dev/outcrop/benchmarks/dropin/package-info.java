/**
 * Suite {@code dropin}: programs written for {@code org.rocksdb}, on the published jar and on ours, in one process. A
 * program is compiled once and loaded twice, by a class loader that finds {@code org.rocksdb} in the one or in the
 * other; both load the same native library.
 */
@NullMarked
package dev.outcrop.benchmarks.dropin;

import org.jspecify.annotations.NullMarked;
