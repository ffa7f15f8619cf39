/**
 * Suite {@code comparator}: keys in an order that a callback in Java defines, by Outcrop, by rocksdbjni and by C.
 *
 * <p>RocksDB calls a comparator about twenty times for each key that it looks up, so what a call costs decides what a read costs. All sides
 * load the same file as their engine, open the same database with the same options, and have the same two orders, written for the memory
 * that they are given: {@link java.lang.foreign.MemorySegment}s, {@link java.nio.ByteBuffer}s, pointers.
 *
 * <p>rocksdbjni gives a comparator its keys in several ways, which its user chooses between; what counts is the best one in each case.
 */
@NullMarked
package dev.outcrop.benchmarks.comparator;

import org.jspecify.annotations.NullMarked;
