/**
 * Generates the classes of {@code org.rocksdb}.
 *
 * <p>{@code facts/org-rocksdb.tsv} has the declarations of the published jar, read by {@code Extract}: classes, members, types and
 * constants. {@code facts/mapping.tsv} has the implementation of members that does not follow from their names.
 * {@code OrgRocksdbGenerator} joins both with the table of the C API and writes Java sources. {@code OrgRocksdbCoverage} reads the compiled
 * classes and lists the supported methods.
 */
@NullMarked
package dev.outcrop.codegen.orgrocksdb;

import org.jspecify.annotations.NullMarked;
