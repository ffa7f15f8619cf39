/**
 * {@code ./outcrop misuse}: uses closed objects, through Outcrop and through {@code rocksdbjni}, each time in a new JVM, and counts the
 * JVMs that do not survive. Writes {@code docs/use-after-close.md}.
 */
@NullMarked
package dev.outcrop.benchmarks.misuse;

import org.jspecify.annotations.NullMarked;
