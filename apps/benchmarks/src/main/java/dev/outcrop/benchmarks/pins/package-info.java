/**
 * Suite {@code pins}: what pinned values cost other readers.
 *
 * <p>A pinned value cannot be evicted from the block cache, so a program that pins much for long leaves less of the cache to others. Here
 * one thread holds 0 to 60 MB of values pinned in a cache of 64 MB, values that no other thread reads, which is the worst case. Meanwhile
 * two threads read other keys, by Zipf's distribution with exponent 0.99, of data half as large again as the cache. Each value fills a
 * block. How many of their reads miss the cache does not depend on the machine; what a read takes does: the operating system has all files
 * in memory here, so a miss costs far less than on a disk.
 *
 * <p>There is no peer that pins. Outcrop with its default pin budget, beyond which values are copied instead, is compared with Outcrop
 * without one. A ratio above 1 means that the budget helps the readers. Further cases replace pins by others after a while, to see what it
 * changes how long each is held. Each case is a program of its own, started anew for each figure.
 */
@NullMarked
package dev.outcrop.benchmarks.pins;

import org.jspecify.annotations.NullMarked;
