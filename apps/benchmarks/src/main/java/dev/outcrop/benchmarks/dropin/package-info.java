/**
 * Suite {@code dropin}: programs written for {@code org.rocksdb}, on the published jar and on our classes, in one process. A program is
 * compiled once and loaded twice: one class loader finds {@code org.rocksdb} in the published jar, the other one in our classes. Both
 * libraries load the same native library.
 *
 * <p>If a C function does the same work, all three use the same open database, as in suite {@code paired}. For a comparator in Java and for
 * Kafka's stores, each library makes its own database, because the callbacks and wrapped objects belong to one library.
 */
@NullMarked
package dev.outcrop.benchmarks.dropin;

import org.jspecify.annotations.NullMarked;
