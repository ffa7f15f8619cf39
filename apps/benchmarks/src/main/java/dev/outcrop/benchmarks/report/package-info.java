/**
 * The report: all suites, with the figures that others have published beside them, on one page.
 *
 * <p>{@link dev.outcrop.benchmarks.report.ReportCommand} measures each case into a file of the {@code ReportDirectory}, so that it can go on
 * after a kill. From these files alone, {@code ReportSections} makes plots and tables, and {@code ReportPage} and {@code ReportText} the
 * files for people. {@link dev.outcrop.benchmarks.report.CompareCommand} compares two reports.
 */
@NullMarked
package dev.outcrop.benchmarks.report;

import org.jspecify.annotations.NullMarked;
