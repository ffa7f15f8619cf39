/**
 * Suite {@code dropin}: programs written for {@code org.rocksdb}, on the published jar and on ours, in one process. A program is compiled
 * once and loaded twice, by a class loader that finds {@code org.rocksdb} in the one or in the other; both load the same native library.
 *
 * <p>Where a function in C does the same work, all three are given the same open database, as in suite {@code paired}. A database with a
 * comparator in Java and Kafka's stores are made by each library for itself, because what they call back or wrap belongs to it.
 */
@NullMarked
package dev.outcrop.benchmarks.dropin;

import org.jspecify.annotations.NullMarked;
