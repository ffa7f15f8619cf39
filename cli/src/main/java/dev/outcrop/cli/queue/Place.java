package dev.outcrop.cli.queue;

import dev.outcrop.cli.Failure;
import dev.outcrop.queue.ConsumerGroup;
import dev.outcrop.queue.Tailer;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Where in a queue to go on, as people say it: {@code first}, {@code last}, an offset, or a time. */
sealed interface Place {
    /** The first record that is kept. */
    record First() implements Place {
    }

    /** Behind the last record. */
    record Last() implements Place {
    }

    /** A record. */
    record Offset(long offset) implements Place {
    }

    /** The first record that was appended then or later. */
    record Time(Instant time) implements Place {
    }

    /**
     * The place that was named.
     *
     * @param name what names it, in messages
     * @throws ParameterException if it is none
     */
    static Place of(CommandSpec command, String name, String text) {
        if (text.equals("first")) {
            return new First();
        }
        if (text.equals("last")) {
            return new Last();
        }
        if (text.matches("\\d{1,18}")) {
            return new Offset(Long.parseLong(text));
        }
        try {
            return new Time(Instant.parse(text));
        } catch (DateTimeParseException e) {
            throw new ParameterException(command.commandLine(),
                    name + " must be 'first', 'last', an offset, or a time as in"
                            + " 2026-11-24T10:15:30Z, not '" + text + "'",
                    e);
        }
    }

    /** Has a group go on there; gives the offset of the record. */
    default long seek(ConsumerGroup group) {
        return switch (this) {
            case First() -> group.seekToBeginning();
            case Last() -> group.seekToEnd();
            case Offset(long offset) -> group.seek(offset);
            case Time(Instant time) -> group.seek(time);
        };
    }

    /** Has a reader go on there. */
    default void seek(Tailer tailer) {
        switch (this) {
            case First() -> tailer.seekToBeginning();
            case Last() -> tailer.seekToEnd();
            case Offset(long offset) -> {
                tailer.seek(offset);
                if (tailer.nextOffset() < offset) {
                    throw new Failure("There is no record " + offset + ": the next one to be appended is "
                            + tailer.nextOffset());
                }
            }
            case Time(Instant time) -> tailer.seek(time);
        }
    }
}
