package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.queue.ConsumerGroup;
import dev.outcrop.queue.Tailer;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A record to seek to. Arguments name it as {@code first}, {@code last}, an offset, or a time. */
sealed interface SeekTarget {
    /** The first record that the queue still has. */
    record First() implements SeekTarget {
    }

    /** The end. A group continues after the last record, with new records. A reader shows the last record. */
    record Last() implements SeekTarget {
    }

    /** A record. */
    record Offset(long offset) implements SeekTarget {
    }

    /** The first record that was appended at this time or later. */
    record Time(Instant time) implements SeekTarget {
    }

    /** Parses an argument or an option. Messages use its name. */
    static SeekTarget of(CommandSpec command, String name, String text) {
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

    /** Returns how a reader begins: as one of the two options says, or in the default way. */
    static Consumer<Tailer> start(CommandSpec command, @Nullable String from, @Nullable Long last,
            Consumer<Tailer> otherwise) {
        if (from != null && last != null) {
            throw new ParameterException(command.commandLine(),
                    "--from and -n exclude each other: both say where to begin");
        }
        if (last != null && last < 0) {
            throw new ParameterException(command.commandLine(), "-n must be 0 or more, not " + last);
        }
        if (last != null) {
            return tailer -> seekToLast(tailer, last);
        }
        return from == null ? otherwise : of(command, "--from", from)::seek;
    }

    /** Seeks in a group, and returns the offset of the record. */
    default long seek(ConsumerGroup group) {
        return switch (this) {
            case First() -> group.seekToBeginning();
            case Last() -> group.seekToEnd();
            case Offset(long offset) -> group.seek(offset);
            case Time(Instant time) -> group.seek(time);
        };
    }

    /** Seeks in a reader. */
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

    /** Seeks to the last {@code count} records, or to all if there are fewer. Withdrawn records are not shown and do not count. */
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
            // Skip a record that comes before the last ones.
        }
    }
}
