package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Failure;
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

    /** For a group behind the last record, so that it goes on with what is appended; for a reader the last record, which it is to show. */
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
            case Last() -> seekToLast(tailer, 1);
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

    /** Has a reader go on with the last records, so many of them if there are; withdrawn ones, which it does not show, do not count. */
    static void seekToLast(Tailer tailer, long count) {
        tailer.seekToEnd();
        long end = tailer.nextOffset();
        long back = count;
        long found = 0;
        long first = end;
        while (found < count && first > 0) {
            tailer.seek(Math.max(0, end - back));
            if (tailer.nextOffset() >= first) {
                // There are no earlier ones.
                break;
            }
            first = tailer.nextOffset();
            found = 0;
            while (tailer.nextOffset() < end && tailer.poll()) {
                found++;
            }
            back = Math.max(back, end - first) * 2;
        }
        tailer.seek(first);
        for (; found > count && tailer.poll(); found--) {
            // One too many, because so many had to be looked through.
        }
    }
}
