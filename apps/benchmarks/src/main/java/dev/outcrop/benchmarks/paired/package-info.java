/**
 * Suite {@code paired}: Outcrop, rocksdbjni and C on the same open database, in one process. If each side had its own process, the memory
 * pages that a process happens to get would matter more than the binding. Here all sides read the same cached blocks.
 *
 * <p>The sides take turns of a few milliseconds. The result is the ratio of two turns of the same round: first the median over the rounds,
 * and then the median over some processes. The order of the sides differs in each round, because each side leaves garbage and contents of
 * the processor's caches for the next side. With {@link dev.outcrop.benchmarks.paired.NativeHandles}, rocksdbjni and the C functions use a
 * database that Outcrop has opened.
 */
@NullMarked
package dev.outcrop.benchmarks.paired;

import org.jspecify.annotations.NullMarked;
