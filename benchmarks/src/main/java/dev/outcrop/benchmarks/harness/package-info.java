/**
 * The one harness: how everything here is measured, whatever the suite.
 *
 * <p>A {@link dev.outcrop.benchmarks.harness.Suite} is a list of {@link dev.outcrop.benchmarks.harness.Case}s. A case measures its sides and
 * makes {@link dev.outcrop.benchmarks.harness.Row}s of the results. There are two ways in which sides are compared:
 *
 * <ul>
 * <li>Each side has processes of its own. A {@link dev.outcrop.benchmarks.harness.Contest} starts a {@link
 * dev.outcrop.benchmarks.harness.Probe} of each side once a round, in shuffled order. A probe is a {@link
 * dev.outcrop.benchmarks.harness.JmhFork}, a {@link dev.outcrop.benchmarks.harness.JavaProgram} or a {@link
 * dev.outcrop.benchmarks.harness.CProgram}.
 * <li>All sides are in one process, on the same open database. There each {@link dev.outcrop.benchmarks.harness.Side} takes {@link
 * dev.outcrop.benchmarks.harness.Turns} of some milliseconds, in shuffled order, and the ratio of two sides is that of their turns in the
 * same round.
 * </ul>
 *
 * <p>In both ways a process prints its figures in the same lines, see {@link dev.outcrop.benchmarks.harness.Start}, and {@link
 * dev.outcrop.benchmarks.harness.Figures} has those of all starts: medians over iterations and starts, with their error. Ratios are
 * comparable even where the machine is not quiet; absolute figures are not.
 *
 * <p>The {@link dev.outcrop.benchmarks.harness.Lab} has what a case needs: the engine and a directory, compiled C programs, and how hard to
 * try. What a child process is to do travels as a record, see {@link dev.outcrop.benchmarks.harness.Settings}.
 */
@NullMarked
package dev.outcrop.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
