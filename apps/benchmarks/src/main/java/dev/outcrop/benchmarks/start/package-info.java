/**
 * Suite {@code start}: the cost of a short program before its first {@code get}. A program opens an existing database, reads one value, and
 * reports it. Its parent measures the time since it began to start the process, and the resident memory at that moment.
 *
 * <p>All libraries are used as users use them: as jars on the class path, or together with the program in one fat jar, each with and
 * without the JDK's AOT cache of that program. Nothing else is on the class path. All programs open the database with RocksDB's default
 * options.
 */
@NullMarked
package dev.outcrop.benchmarks.start;

import org.jspecify.annotations.NullMarked;
