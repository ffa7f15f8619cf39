/**
 * Writes the Java sources of the binding to RocksDB's C API from a table of facts about that API.
 *
 * <p>The way of the data: {@link dev.outcrop.codegen.capi.Facts} reads the table, {@link dev.outcrop.codegen.capi.Types} says what a
 * C type is in Java, and one {@code *Source} class per generated file puts the text together. What cannot be read from the
 * header, because it is a decision or stands in RocksDB's own sources, is kept in two places with a reason each:
 * {@link dev.outcrop.codegen.capi.CriticalFunctions} and
 * {@link dev.outcrop.codegen.capi.OptionNotes}.
 *
 * <p>{@link dev.outcrop.codegen.capi.BindingCoverage} is another program: it computes from the compiled classes which functions of the C API
 * are reached by the public Java API.
 *
 * <p>Run the first with {@code java -cp codegen/target/classes dev.outcrop.codegen.capi.BindingGenerator binding|api FACTS STATISTICS DIRECTORY}.
 */
@NullMarked
package dev.outcrop.codegen.capi;

import org.jspecify.annotations.NullMarked;
