/**
 * Suite {@code queue}: the durable queue against Chronicle Queue and C. An operation is one record, which every consumer reads.
 *
 * <p>Every side has the same work. The payload is prepared in native memory once, and each append copies it into the queue. A reader adds
 * up the whole payload, eight bytes at a time, in place in the mapped file. Each thread has its own appender, tailer or consumer. A
 * consumer that finds nothing yields the processor. Our queue computes a checksum of every record. It checks the checksum if the record
 * comes from the disk, as in a cold queue; a separate form checks it in each read. Our consumers acknowledge the records that they have
 * read. Chronicle has no checksums and no acknowledgements, and its tailers have no names, so they need not store their position.
 *
 * <p><b>Prepared</b> and <b>cold.</b> Prepared: the pages that an iteration writes are in memory and mapped before the clock starts. In our
 * queue the background thread prepares them. The suite waits for it, and it has nothing to do while the clock runs. For Chronicle the suite
 * prepares the pages, because only the enterprise edition of Chronicle can do so. Cold: a new queue, which asks the operating system for
 * files and pages while the clock runs. In our queue the background thread prepares them, and its time counts in the CPU time.
 *
 * <p><b>Reading from end to end</b> is measured with one queue in each start. It is read again and again, each time by another group or
 * tailer. All records are on the disk before. Prepared: the queue stays open after the records were appended. Cold: the queue is closed and
 * opened again before each read, with its files in the memory of the system. So the files are mapped again, and our queue verifies each
 * record. Our queue deletes no file meanwhile, because some groups have not read it. Chronicle keeps all files.
 *
 * <p><b>Chronicle</b> is used as its documentation and its own benchmark program recommend for speed, see {@code ChronicleAdapter}. Records
 * are appended in both of its ways, and the faster way counts. Its JVMs get the flags that it needs. Our JVMs only get native access.
 *
 * <p><b>C</b> copies the payload into a mapped file, behind 24 bytes for a header, and publishes each record with one store. A reader walks
 * from header to header and adds up the payloads, one long after another, like the code of the JIT compiler. There are two kinds. Plain C
 * is the limit: it has no checksum and nothing that could go wrong, and claims places only if there are two producers. Checked C is a
 * separate row: like our queue, it claims places by an atomic addition and writes and verifies a CRC-32C. It has nothing else: no groups,
 * files, bounds, or closing. If records must be durable, the threads of C write and {@code fdatasync} each record.
 *
 * <p><b>Java without a queue</b> does the work of checked C in Java, with the copy and the checksum of the JDK. It verifies nothing when it
 * reads, because our queue does not verify its own appends either. The difference to this is the cost of a queue. It is a separate row, and
 * only prepared.
 *
 * <p><b>The JDK's own files</b> are for a program without any library, with the same copy of the payload. With a {@code FileChannel}, each
 * record is one write, with its length first. With a mapped segment, a record is claimed by an atomic addition, copied, and published by
 * one store. If records must be durable, {@code force} follows each record. Neither has checksums, groups or acknowledgements, or finds the
 * end of the records after a crash.
 *
 * <p><b>Latency</b> is measured from the moment when an append should begin, every ten microseconds, not from the moment when it did begin.
 * If an append has to wait because an earlier append took long, the wait counts, as for a user (Gil Tene's "coordinated omission").
 *
 * <p>The records of an iteration fit into memory and are deleted afterwards.
 */
@NullMarked
package dev.outcrop.benchmarks.queue;

import org.jspecify.annotations.NullMarked;
