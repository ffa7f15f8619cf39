/**
 * Suite {@code write}: single puts and batches, by Outcrop, by rocksdbjni and by C. An operation is one put or one
 * batch.
 *
 * <p>A database that is written to grows, and what it does in the background differs from minute to minute. So every
 * iteration of every side starts with an empty database, and its memtable has room for all that an iteration can write:
 * nothing is flushed or compacted, and all sides fill a memtable from nothing for the same time. What is left when the
 * iteration ends is thrown away. A database that is full of other keys takes longer to write to, on all sides.
 *
 * <p>All three load the same file as their engine, open the database with the same options, and write the same sequence
 * of keys with values of 100 bytes: ascending keys, which a memtable takes soonest, so that what a side adds shows most;
 * and random ones for comparison.
 */
@NullMarked
package dev.outcrop.benchmarks.write;

import org.jspecify.annotations.NullMarked;
