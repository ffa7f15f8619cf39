/**
 * Suite {@code queue}: the durable queue against Chronicle Queue and C. An operation is one record, which every consumer reads.
 *
 * <p>Every side has the same work. The payload is prepared in native memory once and copied into the queue with each append; a reader adds
 * up all of it, eight bytes at a time, where it lies in the mapped file. Each thread has its own appender, tailer or consumer. A consumer
 * that finds nothing yields the processor. Ours computes a checksum of every record. It checks it when the record has come from the disk,
 * which is where cold queues are read, and in a form of its own each time. Its consumers acknowledge what they have read; Chronicle has
 * neither, and its tailers are not even named, so they need not write down how far they are.
 *
 * <p><b>Prepared</b> and <b>cold.</b> Prepared: the pages that an iteration writes are in memory and mapped before the clock starts; what
 * prepares them, a thread of ours, is waited for, and has nothing to do while the clock runs. For Chronicle the suite does it, because the
 * part of Chronicle that does is only in its enterprise edition. Cold: a new queue as it comes, with the files and pages that it asks the
 * operating system for while the clock runs; in our case the thread in the background prepares them, and its time is in the CPU time.
 *
 * <p><b>Reading from end to end</b> is measured with one queue in each start, which is read again and again, each time by another group or
 * tailer. The disk has all of it before. Prepared: by the opening that has appended it; cold: the queue is closed and opened again before
 * each time, with its files in the memory of the system, so that they are mapped anew and ours verifies each record. Of ours no file is
 * given back meanwhile, because there are groups that have not read it; Chronicle keeps all files.
 *
 * <p><b>Chronicle</b> is used as its documentation and its own benchmark program recommend for speed, see {@code ChronicleAdapter}; records
 * are appended in both of its ways, and the faster one counts. Its JVMs get the flags that it needs; ours get none but native access.
 *
 * <p><b>C</b> copies the payload into a mapped file, behind 24 bytes for a header, and publishes each record with one store; a reader walks
 * from header to header and adds up the payloads, one long after the other, as the JIT compiler does. There are two kinds. Plain, which is
 * the limit: no checksum and nothing that could go wrong; places are claimed only where there are two producers. Checked, which is a row of
 * its own: with a claim by an atomic addition and a CRC-32C that is written and verified, as ours does, and nothing else: no groups, files,
 * bounds, or closing. Where records are to be durable, its threads write and {@code fdatasync} each record.
 *
 * <p><b>Java without a queue</b> does in Java what C does checked, with the copy and the checksum of the JDK, but verifies nothing when it
 * reads, as ours verifies nothing that it has appended itself: what is left for a queue is the distance to this. A row of its own, and only
 * prepared.
 *
 * <p><b>The JDK's own files</b> are what a program has without any library, with the same copy of the payload. With a {@code FileChannel},
 * each record is one write, its length before it; with a mapped segment, it is claimed by an atomic addition, copied, and published by one
 * store. Where records are to be durable, {@code force} follows each. Neither has checksums, groups or acknowledgements, or finds after a crash
 * where the records end.
 *
 * <p><b>Latency</b> is measured from when an append was meant to begin, every ten microseconds, not from when it did begin: what has to
 * wait because an earlier append took long counts as what a user would see (Gil Tene's "coordinated omission").
 *
 * <p>What an iteration appends fits into memory and is deleted afterwards.
 */
@NullMarked
package dev.outcrop.benchmarks.queue;

import org.jspecify.annotations.NullMarked;
