package dev.outcrop.cli.pipe;

import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.common.Plural;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param sources     in their order
 * @param stored      records in the database
 * @param bad         records that went to the dead letter queue
 * @param waiting     records in the queue that are not in the database
 * @param before      records that waited in the queue when the run began
 * @param read        records that the run has read
 * @param readSeconds how long reading took
 * @param seconds     how long the run took
 */
record PipeSummary(List<Source> sources, long stored, long bad, long waiting, long before, long read,
        double readSeconds, double seconds) {
    /** Returns lines for people. The last line is the sum. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (Source source : sources) {
            if (isNothingNew(source)) {
                text.append(source.name()).append(": nothing new behind line ")
                        .append(source.taken().lines()).append(System.lineSeparator());
            }
        }
        text.append(Plural.of(stored, "record is", "records are")).append(" stored");
        if (before > 0) {
            text.append(", with ").append(before).append(" that waited in the queue");
        }
        if (bad > 0) {
            text.append("; ").append(Plural.of(bad, "bad one is", "bad ones are")).append(" put away");
        }
        if (read > 0) {
            text.append(String.format(Locale.ROOT, "; %,.0f records/s read, %,.0f stored", read / readSeconds,
                    stored / seconds));
        }
        return text.toString();
    }

    private static boolean isNothingNew(Source source) {
        return source.before().bytes() > 0 && source.before().equals(source.taken());
    }

    /** Returns a line of JSON for programs. */
    String json() {
        List<Map<String, Object>> files = new ArrayList<>();
        for (Source source : sources) {
            Map<String, Object> file = Json.fields("file", source.id(),
                    "records", source.entries(),
                    "bad", source.refused(),
                    "from", source.before().bytes(),
                    "to", source.taken().bytes(),
                    "lines", source.taken().lines());
            files.add(file);
        }
        return Json.line(Json.fields("stored", stored,
                "bad", bad,
                "waiting", waiting,
                "readPerSecond", Math.round(read / readSeconds),
                "storedPerSecond", Math.round(stored / seconds),
                "seconds", Math.round(seconds * 1000) / 1000.0,
                "files", files));
    }

    /** Returns the outcome, and how to go on. */
    String interrupted() {
        StringBuilder text = new StringBuilder(Plural.of(stored, "record is", "records are")).append(" stored");
        if (waiting > 0) {
            text.append(", ").append(waiting).append(" wait in the queue");
        }
        text.append("; the same command goes on from there");
        for (Source source : sources) {
            if (source.id().equals(Source.STANDARD_INPUT)) {
                text.append(", in the same input with --resume: ").append(source.taken().lines())
                        .append(" lines of it were taken, ").append(source.taken().bytes()).append(" bytes");
            }
        }
        return text.toString();
    }
}
