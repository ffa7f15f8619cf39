/**
 * Suite {@code merge}: counters and lists that grow, by merge operators in Java, by reading and writing through rocksdbjni, and by C.
 *
 * <p>rocksdbjni has no merge operators in Java. Its users read a value, change it, and write it back; that is the peer here, in the better
 * of its forms. It is also a lesser thing: two threads that do so to the same key must keep each other away by themselves. For comparison
 * there is a second row in each case, in which rocksdbjni has RocksDB's own operator, written in C++, of the same meaning; the geometric
 * mean does not count these.
 *
 * <p>Merging is done later than writing, so what is measured goes to the end: each operation is one of many whose merges are carried out by
 * the compaction that follows them. Reading has its price too: in the case {@code read} every value is merged anew by each read, while
 * those that were written back lie there ready. All sides check their sums.
 */
@NullMarked
package dev.outcrop.benchmarks.merge;

import org.jspecify.annotations.NullMarked;
