/**
 * The program behind {@code ./outcrop}. {@link dev.outcrop.cli.Main} parses and reports. Exit codes: 0 done, 1 failed, 2 wrong usage.
 *
 * <p>Packages refer only downwards:
 *
 * <pre>
 *  dev.outcrop.cli              Main, and commands that start other programs
 *     │          │
 *    pipe       demo            files into a database · a queue, a pipeline and a database, killed half-way
 *   │    │       │
 *  db  queue     │              databases · queues
 *   └────┴───────┘
 *      common                   what all commands share
 * </pre>
 */
@NullMarked
package dev.outcrop.cli;

import org.jspecify.annotations.NullMarked;
