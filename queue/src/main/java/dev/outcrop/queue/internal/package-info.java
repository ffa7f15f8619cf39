/**
 * The ground that all floors of the queue stand on: how much stack an operation needs before it may begin ({@code StackNeed}), how a lock
 * is got when something must not seem to have failed ({@code Locks}), what the log is told and how ({@code Notice}, {@code FailureText}),
 * and the exceptions.
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
