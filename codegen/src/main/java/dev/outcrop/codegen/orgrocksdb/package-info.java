/**
 * Writes the classes of {@code org.rocksdb}.
 *
 * <p>{@code facts/org-rocksdb.tsv} says what the published jar declares: classes, members, types, constants. {@code Extract} makes
 * it from the jar; nothing but declarations and constants is read. {@code facts/mapping.tsv} says what stands behind a member where
 * names alone do not decide. {@code OrgRocksdbGenerator} joins both with the table of the C API and writes Java sources. {@code OrgRocksdbCoverage} reads the
 * compiled classes and says which methods work.
 */
@NullMarked
package dev.outcrop.codegen.orgrocksdb;

import org.jspecify.annotations.NullMarked;
