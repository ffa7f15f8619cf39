package dev.outcrop.cli.db;

/** Numbers of things, in messages. */
public final class Counted {
    private Counted() {
    }

    /**
     * For example "1 table file", "2 table files".
     *
     * @param count    of them
     * @param singular for one
     * @param plural   for any other number
     * @return the words
     */
    public static String of(long count, String singular, String plural) {
        return count + " " + (count == 1 ? singular : plural);
    }

    static String entries(long count) {
        return of(count, "entry", "entries");
    }

    static String files(long count) {
        return of(count, "table file", "table files");
    }
}
