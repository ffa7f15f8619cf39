/**
 * Suite {@code start}: what a short program pays before its first {@code get}. A program opens an existing database, reads one value, and
 * says so; its parent measures the time since it began to start the process, and the resident memory at that moment.
 *
 * <p>All libraries are used as a user has them: as jars on the class path, or together with the program in one fat jar, each with and without
 * the JDK's AOT cache of that very program. Nothing else is on the class path. All open the database with RocksDB's default options.
 */
@NullMarked
package dev.outcrop.benchmarks.start;

import org.jspecify.annotations.NullMarked;
