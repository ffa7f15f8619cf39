/**
 * {@code ./outcrop db}: uses RocksDB databases; one class a command, on the public API of the module {@code rocksdb}.
 *
 * <p>{@link dev.outcrop.cli.db.OpenDatabase} opens, {@link dev.outcrop.cli.common.Encoding} turns bytes into characters and back,
 * {@link dev.outcrop.cli.common.Interruption} is Ctrl-C, {@link dev.outcrop.cli.db.Messages} takes advice to programmers out of messages.
 */
@NullMarked
package dev.outcrop.cli.db;

import org.jspecify.annotations.NullMarked;
