/**
 * {@code ./outcrop pipe}: lines, CSV or JSON lines through a queue into a database, each record once, on the public API of the module
 * {@code pipeline}.
 *
 * <p>{@link dev.outcrop.cli.pipe.RecordReader} cuts an input into records, a {@link dev.outcrop.cli.pipe.RecordFormat} makes entries of
 * them, a {@link dev.outcrop.cli.pipe.Source} puts them into the queue, many to a {@link dev.outcrop.cli.pipe.Chunk}, with how far the
 * input was taken by then ({@link dev.outcrop.cli.pipe.Position}). The {@link dev.outcrop.cli.pipe.DatabaseSink} writes the entries of a chunk and
 * its position to the database in one batch. So the database knows how far it has an input, and the chunks
 * in the queue know how far they have it.
 */
@NullMarked
package dev.outcrop.cli.pipe;

import org.jspecify.annotations.NullMarked;
