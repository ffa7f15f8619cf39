/**
 * Suite {@code scan}: entries in order, from the block cache, by Outcrop, by rocksdbjni and by C. An operation is one
 * entry where all of them are gone through, a whole range together with its iterator, or one seek of an iterator that
 * is kept.
 *
 * <p>All three load the same file as their engine, open the same database with the same options, ask for the same
 * sequence of ranges, and do the same with an entry: look at its key's first byte, and at its value's size, first byte
 * and last byte.
 */
@NullMarked
package dev.outcrop.benchmarks.scan;

import org.jspecify.annotations.NullMarked;
