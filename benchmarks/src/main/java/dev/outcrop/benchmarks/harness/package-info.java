/**
 * How everything here is measured, whatever the suite.
 *
 * <p>A {@link dev.outcrop.benchmarks.harness.Suite} sets up a {@link dev.outcrop.benchmarks.harness.Contest} for each
 * of its cases and makes {@link dev.outcrop.benchmarks.harness.Row}s of the result. In a contest every side is a {@link
 * dev.outcrop.benchmarks.harness.Probe}: a JMH fork, or a run of a C program. All sides are started in turn, several
 * times, in alternating order, and what counts is the median over the starts; ratios are therefore comparable even
 * where the machine is not quiet, and absolute figures are not.
 */
@NullMarked
package dev.outcrop.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
