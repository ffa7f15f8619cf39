/** Sides that take turns in one process, so that whatever else the machine does meets all of them. */
@NullMarked
package dev.outcrop.benchmarks.turns;

import org.jspecify.annotations.NullMarked;
