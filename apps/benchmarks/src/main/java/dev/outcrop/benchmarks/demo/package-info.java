/**
 * The comparison in {@code ./outcrop demo}: the same phases through Outcrop and through rocksdbjni, each in its own JVM, which the command
 * line starts. {@link dev.outcrop.benchmarks.demo.DemoSide} is the common part of the two sides.
 */
@NullMarked
package dev.outcrop.benchmarks.demo;

import org.jspecify.annotations.NullMarked;
