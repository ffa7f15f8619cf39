/**
 * {@code ./outcrop pipe}: sends lines, CSV or JSON lines through a queue into a database, each record exactly once. It uses the public API
 * of the module {@code pipeline}.
 *
 * <p>{@link dev.outcrop.cli.pipe.RecordReader} splits an input into records. A {@link dev.outcrop.cli.pipe.RecordFormat} makes entries of
 * the records. A {@link dev.outcrop.cli.pipe.Source} appends many entries as one {@link dev.outcrop.cli.pipe.Chunk} to the queue, together
 * with the {@link dev.outcrop.cli.pipe.Position} in the input. The {@link dev.outcrop.cli.pipe.DatabaseSink} writes the entries of a chunk
 * and its position to the database in one batch. So both the database and the chunks in the queue know how far they have an input.
 */
@NullMarked
package dev.outcrop.cli.pipe;

import org.jspecify.annotations.NullMarked;
