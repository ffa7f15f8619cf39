/**
 * The common floor of all commands: failures with one line for people, exit codes, terminals and progress, Ctrl-C, notations of bytes, and
 * programs in JVMs of their own. Nothing here refers to a command.
 */
@NullMarked
package dev.outcrop.cli.common;

import org.jspecify.annotations.NullMarked;
