/** Benchmarks against every peer. {@code outcrop bench} starts {@link dev.outcrop.benchmarks.Main}. */
@NullMarked
package dev.outcrop.benchmarks;

import org.jspecify.annotations.NullMarked;
