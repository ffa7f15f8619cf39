/**
 * Suite {@code get}: point reads of values that are in the block cache, by Outcrop, by rocksdbjni and by C.
 *
 * <p>All three load the same file as their engine, open the same database with the same options, ask for the same
 * sequence of keys, and do the same with a value: look at its size, its first byte and its last byte.
 */
@NullMarked
package dev.outcrop.benchmarks.get;

import org.jspecify.annotations.NullMarked;
