/**
 * Writes the Java sources of the binding to RocksDB's C API from a table of facts about that API.
 *
 * <p>The way of the data: {@link dev.outcrop.generator.Facts} reads the table, {@link dev.outcrop.generator.Types} says what a
 * C type is in Java, and one {@code *Source} class per generated file puts the text together. What cannot be read from the
 * header, because it is a decision or stands in RocksDB's own sources, is kept in two places with a reason each:
 * {@link dev.outcrop.generator.CriticalFunctions} and
 * {@link dev.outcrop.generator.OptionNotes}.
 *
 * <p>{@link dev.outcrop.generator.Coverage} is another program: it computes from the compiled classes which functions of the C API
 * are reached by the public Java API.
 *
 * <p>Run the first with {@code java -cp rocksdb-generator/target/classes dev.outcrop.generator.Main FACTS STATISTICS DIRECTORY}.
 */
@NullMarked
package dev.outcrop.generator;

import org.jspecify.annotations.NullMarked;
