/**
 * {@code ./outcrop demo}: stores the running JDK's own classes, reads them back and compares every byte, beside the
 * same work done through {@code rocksdbjni}.
 *
 * <p>The walk of one run:
 * <ol>
 * <li>{@link dev.outcrop.cli.demo.DemoCommand} claims a {@link dev.outcrop.cli.demo.DemoDirectory} and has
 * {@link dev.outcrop.cli.demo.JdkClasses} copy all classes from {@code jrt:/} into one file;
 * <li>each {@link dev.outcrop.cli.demo.Side} runs in a JVM of its own, with the same flags, never two at a time. Ours
 * is {@link dev.outcrop.cli.demo.OutcropDemo}; the peer's program is in the module {@code benchmarks};
 * <li>a side maps that file, works through the phases and says on standard output how far it is and how long each
 * operation took ({@link dev.outcrop.cli.demo.Report} writes those lines, {@link dev.outcrop.cli.demo.SideRun} reads
 * them);
 * <li>{@link dev.outcrop.cli.demo.ResultTable} puts the sides next to each other.
 * </ol>
 *
 * <h2>What is timed</h2>
 * The same for both sides, operation by operation, with {@link java.lang.System#nanoTime()}:
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
