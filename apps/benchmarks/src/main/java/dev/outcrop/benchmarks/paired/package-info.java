/**
 * Suite {@code paired}: Outcrop, rocksdbjni and C on the same open database, in one process. If each side had a process of its own, then
 * which pages of memory a process happens to get would matter more than the binding does; here all sides read the same cached blocks,
 * wherever these are.
 *
 * <p>The sides take turns of a few milliseconds. What counts is the ratio of two turns of the same round, of these the median over the
 * rounds, and of these the median over some processes. The order of the sides is another one in each round, because a side leaves something
 * behind for the next one, such as garbage and what is in the processor's caches. {@link dev.outcrop.benchmarks.paired.NativeHandles} is
 * how rocksdbjni and the functions in C get at a database that Outcrop has opened.
 */
@NullMarked
package dev.outcrop.benchmarks.paired;

import org.jspecify.annotations.NullMarked;
