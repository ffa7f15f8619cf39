/**
 * Suite {@code pins}: the cost of pinned values for other readers.
 *
 * <p>RocksDB cannot evict a pinned value from the block cache, so a program that pins many values for long leaves less of the cache to
 * others. Here one thread pins 0 to 60 MB of values in a cache of 64 MB. No other thread reads these values, which is the worst case.
 * Meanwhile two threads read other keys, in Zipf's distribution with exponent 0.99. Their data is 1.5 times as large as the cache. Each
 * value fills a block. The number of cache misses does not depend on the machine, but the time of a read does: the operating system has all
 * files in memory here, so a miss costs far less than on a disk.
 *
 * <p>No peer pins values. The suite compares Outcrop with its default pin budget, beyond which it copies values instead, with Outcrop
 * without a budget. A ratio above 1 means that the budget helps the readers. Further cases replace pinned values by others after a while,
 * to show the effect of the time for which each value is pinned. Each case is a separate program, which is started again for each figure.
 */
@NullMarked
package dev.outcrop.benchmarks.pins;

import org.jspecify.annotations.NullMarked;
