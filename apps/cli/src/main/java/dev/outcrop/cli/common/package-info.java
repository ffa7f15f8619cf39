/**
 * The common base of all commands: {@link dev.outcrop.cli.common.Subcommand} with its streams and Ctrl-C, failures with one line for
 * people, terminals, progress and tables, encodings of bytes, and programs in their own JVMs. Nothing here refers to a command.
 */
@NullMarked
package dev.outcrop.cli.common;

import org.jspecify.annotations.NullMarked;
