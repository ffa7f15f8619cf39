/**
 * {@code ./outcrop misuse}: uses what was closed, through Outcrop and through {@code rocksdbjni}, each time in a JVM of its own, and counts
 * the JVMs that do not survive. Writes {@code docs/use-after-close.md}.
 */
@NullMarked
package dev.outcrop.benchmarks.misuse;

import org.jspecify.annotations.NullMarked;
