/**
 * The report: the results of all suites in one directory.
 *
 * <p>{@link dev.outcrop.benchmarks.report.ReportCommand} measures each case into a file of the {@code ReportDirectory}, so that it can go on
 * after a kill.
 */
@NullMarked
package dev.outcrop.benchmarks.report;

import org.jspecify.annotations.NullMarked;
