/**
 * Writes the Java sources of the binding to RocksDB's C API from a table of facts about that API.
 *
 * <p>{@link dev.outcrop.codegen.capi.Facts} reads the table, {@link dev.outcrop.codegen.capi.Types} maps C types to Java types, and a
 * {@code *Source} class writes each generated file. Decisions, and facts from RocksDB's sources, are in
 * {@link dev.outcrop.codegen.capi.CriticalFunctions} and {@link dev.outcrop.codegen.capi.OptionNotes}, each with a reason, and the names of
 * the engine's calls in {@code calls.tsv} ({@link dev.outcrop.codegen.capi.CallClass}).
 *
 * <p>{@link dev.outcrop.codegen.capi.BindingCoverage} is another program. From the compiled classes, it computes which functions of the C
 * API the public Java API reaches.
 *
 * <p>Run {@code BindingGenerator} with {@code java -cp codegen/target/classes dev.outcrop.codegen.capi.BindingGenerator binding|api FACTS
 * STATISTICS DIRECTORY}.
 */
@NullMarked
package dev.outcrop.codegen.capi;

import org.jspecify.annotations.NullMarked;
