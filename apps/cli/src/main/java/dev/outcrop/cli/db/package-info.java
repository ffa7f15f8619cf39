/**
 * {@code ./outcrop db}: uses RocksDB databases, through the public API of the module {@code rocksdb}. There is one class for each command.
 *
 * <p>{@link dev.outcrop.cli.db.OpenDatabase} opens databases, {@link dev.outcrop.cli.common.Encoding} turns bytes into characters and back,
 * {@link dev.outcrop.cli.common.Interruption} handles Ctrl-C, and {@link dev.outcrop.cli.db.Messages} removes advice to programmers from
 * messages.
 */
@NullMarked
package dev.outcrop.cli.db;

import org.jspecify.annotations.NullMarked;
