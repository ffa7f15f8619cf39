/**
 * Suite {@code merge}: counters and growing lists, by merge operators in Java, by reading and writing with rocksdbjni, and by C.
 *
 * <p>rocksdbjni has no merge operators in Java. Its users read a value, change it, and write it back. This is the peer here, in its better
 * form. It also does less: two threads that change the same key must synchronise by themselves. For comparison, each case has a second row,
 * in which rocksdbjni uses RocksDB's own operator with the same meaning, written in C++. The geometric mean does not count these rows.
 *
 * <p>RocksDB merges later than it writes, so the measurement includes the end: many operations are followed by the compaction that carries
 * out their merges. Reading has its price too: in the case {@code read}, each read merges the value again, while the values that were
 * written back need no merge. All sides check their sums.
 */
@NullMarked
package dev.outcrop.benchmarks.merge;

import org.jspecify.annotations.NullMarked;
