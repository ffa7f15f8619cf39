/**
 * The program behind {@code ./outcrop}: one class a command, plus what all commands share.
 *
 * <p>{@link dev.outcrop.cli.Main} parses and reports, {@link dev.outcrop.cli.Installation} knows where the built
 * modules are, {@link dev.outcrop.cli.ChildJvm} starts programs that need a JVM of their own. Exit codes: 0 done,
 * 1 failed, 2 wrong usage.
 */
@NullMarked
package dev.outcrop.cli;

import org.jspecify.annotations.NullMarked;
