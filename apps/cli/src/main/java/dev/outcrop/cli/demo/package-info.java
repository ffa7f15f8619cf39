/**
 * {@code ./outcrop demo}: sends the running JDK's own classes through a durable queue and a pipeline into RocksDB, kills the programs that
 * do it half-way, and proves that each class arrived exactly once and intact. Then the same classes through Outcrop and {@code rocksdbjni}
 * in turn.
 *
 * <p>The walk of one run:
 * <ol>
 * <li>{@link dev.outcrop.cli.demo.DemoCommand} claims a {@link dev.outcrop.cli.demo.DemoDirectory}, in which nothing stays;
 * <li>{@link dev.outcrop.cli.demo.DemoRun} has {@link dev.outcrop.cli.demo.AppendProgram} append all classes to a queue, and
 * {@link dev.outcrop.cli.demo.PipelineProgram} write them to a database. Both run in JVMs of their own, which
 * {@link dev.outcrop.cli.demo.WorkerRun} ends with kill -9 and starts again;
 * <li>{@link dev.outcrop.cli.demo.Proof} reads everything once more: each class from the database and from the JDK, a counter for each that
 * would tell if it had its effect twice, and the queue;
 * <li>{@link dev.outcrop.cli.demo.PeerContest} has each {@link dev.outcrop.cli.demo.SideRun.Side} work in a JVM of its own, with the same flags,
 * never two at a time. Their programs are in the module {@code benchmarks};
 * {@link dev.outcrop.cli.demo.PhaseResult} puts them next to each other.
 * </ol>
 * All these programs say on standard output how far they are, in the lines that {@link dev.outcrop.cli.demo.Report} describes.
 *
 * <h2>What is timed of the sides</h2>
 * The same for both, operation by operation, with {@link java.lang.System#nanoTime()}:
 * <ul>
 * <li>store: each put; the flush at the end counts into the phase's seconds, not into the latencies;
 * <li>read: from the call until the caller may read the value's bytes, plus giving them back where they are pinned;
 * <li>scan: from the end of one entry until the next entry's key and value may be read.
 * </ul>
 * Comparing bytes, preparing keys and buffers and reporting progress are never inside. Because a copied value is warm
 * in the processor's cache when it is compared and a pinned one may not be, the elapsed time with comparing is reported
 * as well.
 */
@NullMarked
package dev.outcrop.cli.demo;

import org.jspecify.annotations.NullMarked;
