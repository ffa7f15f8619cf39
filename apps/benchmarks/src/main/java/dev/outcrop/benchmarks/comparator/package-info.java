/**
 * Suite {@code comparator}: keys in an order that a Java callback defines, by Outcrop, by rocksdbjni and by C.
 *
 * <p>RocksDB calls a comparator about twenty times for each key that it looks up, so the cost of a call decides the cost of a read. All
 * sides load the same engine file, and open the same database with the same options. They have the same two orders, each written for the
 * memory in which the side gets its keys: {@link java.lang.foreign.MemorySegment}s, {@link java.nio.ByteBuffer}s, pointers.
 *
 * <p>rocksdbjni can pass keys to a comparator in several ways. Its user chooses one. In each case, the best one counts.
 */
@NullMarked
package dev.outcrop.benchmarks.comparator;

import org.jspecify.annotations.NullMarked;
