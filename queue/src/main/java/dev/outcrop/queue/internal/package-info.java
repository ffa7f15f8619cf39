/**
 * The lowest floor of the queue: the exceptions, and how messages and durations are written.
 *
 * <p>The floors, from here upwards: {@code files}, {@code tailers}, {@code append}, {@code groups}, and then the public package;
 * {@code repair} stands on {@code files} and {@code tailers}, beside the others. Each package knows only those below it. The exceptions
 * that users catch are in the public package, so {@code Failures} is handed down how they are made. Options and durabilities are handed
 * down as numbers.
 *
 * <p>None of these packages is exported. What is public in them is so for the floors above.
 */
@NullMarked
package dev.outcrop.queue.internal;

import org.jspecify.annotations.NullMarked;
