/**
 * The harness of all suites.
 *
 * <p>A {@link dev.outcrop.benchmarks.harness.Suite} is a list of {@link dev.outcrop.benchmarks.harness.Case}s. A case measures its sides,
 * and makes {@link dev.outcrop.benchmarks.harness.Row}s of the results. There are two ways to compare sides:
 *
 * <ul>
 * <li>Each side has its own processes. A {@link dev.outcrop.benchmarks.harness.ProcessComparison} starts a
 * {@link dev.outcrop.benchmarks.harness.BenchmarkProcess} of each side once in each round, in shuffled order. Such a process is a
 * {@link dev.outcrop.benchmarks.harness.JmhFork}, a {@link dev.outcrop.benchmarks.harness.JavaProgram} or a
 * {@link dev.outcrop.benchmarks.harness.CProgram}.
 * <li>All sides are in one process, on the same open database. In an {@link dev.outcrop.benchmarks.harness.InProcessComparison} each
 * {@link dev.outcrop.benchmarks.harness.Side} takes turns of some milliseconds, in shuffled order. The ratio of two sides is the ratio of
 * their turns in the same round.
 * </ul>
 *
 * <p>In both ways a process prints its figures in the same lines, see {@link dev.outcrop.benchmarks.harness.ProcessOutput}.
 * {@link dev.outcrop.benchmarks.harness.Figures} has the figures of all starts: medians over iterations and starts, with their error.
 * Ratios are comparable even if the machine is not quiet; absolute figures are not.
 *
 * <p>The {@link dev.outcrop.benchmarks.harness.RunContext} has the environment of a case: the engine and a directory, compiled C programs,
 * and the length of the run. A child process gets its work as a record, see {@link dev.outcrop.benchmarks.harness.Settings}.
 */
@NullMarked
package dev.outcrop.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
