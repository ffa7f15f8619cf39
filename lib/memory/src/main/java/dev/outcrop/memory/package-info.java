/**
 * Native memory and native calls that cost as little as in C and cannot crash the JVM.
 *
 * <p>Priorities, in this order:
 * <ol>
 * <li>no call from Java reads or frees memory that was freed;
 * <li>a call allocates nothing, neither on the heap nor with malloc;
 * <li>no cache line is written by all threads;
 * <li>a failure says what to do about it.
 * </ol>
 *
 * <p>{@link dev.outcrop.memory.Scratch} is memory for the duration of one call, {@link dev.outcrop.memory.Lifetime} guards an
 * object that lives in native memory, {@link dev.outcrop.memory.NativeCalls} links functions and
 * {@link dev.outcrop.memory.NativeLibraries} finds the libraries that hold them.
 */
@NullMarked
package dev.outcrop.memory;

import org.jspecify.annotations.NullMarked;
