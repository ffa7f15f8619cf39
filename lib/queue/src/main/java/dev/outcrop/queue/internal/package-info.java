/**
 * The lowest package of the queue: exceptions, warnings, and the texts of failures and durations.
 *
 * <p>The packages, from here upwards: {@code files}, {@code tailers}, {@code append}, {@code groups}, and then the public package;
 * {@code repair} stands on {@code files} and {@code tailers}. Each package knows only those below it. The public package, which has the
 * exceptions that users catch, installs {@code Failures} to make them. The public package passes options and durabilities down as numbers.
 *
 * <p>None of these packages is exported. Their public classes are public for the packages above.
 */
@NullMarked
package dev.outcrop.queue.internal;

import org.jspecify.annotations.NullMarked;
