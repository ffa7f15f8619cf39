/**
 * Suite {@code multiget}: many values that are in the block cache at once, by Outcrop, by rocksdbjni and by C. The
 * cases have the shape of the table that was published with the batched {@code multiGet} of rocksdbjni: 100 keys of
 * 1,024 bytes a call, of one column family or of random ones.
 *
 * <p>All three load the same file as their engine, open the same database with the same options, ask for the same
 * sequence of keys, and do the same with a value: look at its size, its first byte and its last byte.
 */
@NullMarked
package dev.outcrop.benchmarks.multiget;

import org.jspecify.annotations.NullMarked;
