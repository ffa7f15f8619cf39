package dev.outcrop.cli.common;

/** Counts of things, for messages. */
public final class Plural {
    private Plural() {
    }

    /** Returns for example "1 table file", "2 table files". */
    public static String of(long count, String singular, String plural) {
        return count + " " + (count == 1 ? singular : plural);
    }

    public static String entries(long count) {
        return of(count, "entry", "entries");
    }
}
