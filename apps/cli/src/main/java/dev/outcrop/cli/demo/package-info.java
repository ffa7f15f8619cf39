/**
 * {@code ./outcrop demo}: sends the running JDK's own classes through a durable queue and a pipeline into RocksDB, kills the programs that
 * do this half-way, and proves that each class arrived exactly once and intact. Then Outcrop and {@code rocksdbjni} store and read the same
 * classes in turn.
 *
 * <p>The course of one run:
 * <ol>
 * <li>{@link dev.outcrop.cli.demo.DemoCommand} claims a {@link dev.outcrop.cli.demo.DemoDirectory}, and leaves nothing in it;
 * <li>{@link dev.outcrop.cli.demo.DemoRun} starts {@link dev.outcrop.cli.demo.AppendProgram}, which appends all classes to a queue, and
 * {@link dev.outcrop.cli.demo.PipelineProgram}, which writes them to a database. Each runs in its own JVM, which
 * {@link dev.outcrop.cli.demo.WorkerRun} ends with kill -9 and starts again;
 * <li>{@link dev.outcrop.cli.demo.Proof} reads everything once more: each class from the database and from the JDK, a counter for each
 * class, which would show if the class had its effect twice, and the queue;
 * <li>{@link dev.outcrop.cli.demo.PeerContest} lets each {@link dev.outcrop.cli.demo.SideRun.Side} work in its own JVM, with the same
 * flags, never two at a time. Their programs are in the module {@code benchmarks}; {@link dev.outcrop.cli.demo.PhaseResult} puts them next
 * to each other.
 * </ol>
 * All these programs report their progress on standard output, in the lines that {@link dev.outcrop.cli.demo.Report} describes.
 *
 * <h2>What is timed of the sides</h2>
 * Both sides time the same operations, one by one, with {@link java.lang.System#nanoTime()}:
 * <ul>
 * <li>store: each put; the flush at the end counts in the phase's seconds, but not in the latencies;
 * <li>read: from the call until the caller may read the value's bytes, plus the release of the value if it is pinned;
 * <li>scan: from the end of one entry until the next entry's key and value may be read.
 * </ul>
 * Comparing bytes, preparing keys and buffers, and reporting progress are never timed. A copied value is in the processor's cache when it
 * is compared, but a pinned value may not be. So the elapsed time including the comparison is reported as well.
 */
@NullMarked
package dev.outcrop.cli.demo;

import org.jspecify.annotations.NullMarked;
