/** Benchmarks against every peer: {@link dev.outcrop.benchmarks.Main} is what {@code outcrop bench} starts. */
@NullMarked
package dev.outcrop.benchmarks;

import org.jspecify.annotations.NullMarked;
