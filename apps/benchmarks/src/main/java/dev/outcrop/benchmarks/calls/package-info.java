/**
 * Suite {@code calls}: what a native call costs on top of the function it calls.
 *
 * <p>The functions are leaf functions of the C library that do almost nothing and make no system call. Each is called through Outcrop's
 * {@code memory} module, by the JDK's own means, and by a C program, on platform threads and on virtual threads.
 */
@NullMarked
package dev.outcrop.benchmarks.calls;

import org.jspecify.annotations.NullMarked;
