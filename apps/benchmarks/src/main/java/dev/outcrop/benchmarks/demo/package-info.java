/**
 * The comparison in {@code ./outcrop demo}: the same phases through Outcrop and through rocksdbjni, each in a JVM of its own that the
 * command line starts. {@link dev.outcrop.benchmarks.demo.DemoSide} has all that the two have in common.
 */
@NullMarked
package dev.outcrop.benchmarks.demo;

import org.jspecify.annotations.NullMarked;
