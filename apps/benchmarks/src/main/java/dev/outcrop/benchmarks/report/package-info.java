/**
 * The report: all suites on one page, beside the figures that others have published.
 *
 * <p>{@link dev.outcrop.benchmarks.report.ReportCommand} writes the results of each case to a file in the {@code ReportDirectory}, so that
 * it can go on after a kill. From these files alone, {@code ReportSections} makes plots and tables, and {@code ReportPage} and
 * {@code ReportText} make the files for people. {@link dev.outcrop.benchmarks.report.CompareCommand} compares two reports.
 */
@NullMarked
package dev.outcrop.benchmarks.report;

import org.jspecify.annotations.NullMarked;
