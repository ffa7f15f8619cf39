package dev.outcrop.cli.common;

import java.io.Console;
import java.util.Optional;
import picocli.CommandLine;

/**
 * Tells which standard streams are terminals. The launcher knows this for each stream. Without the launcher, only the console as a whole is
 * known.
 */
public final class Terminal {
    /** System property with the names of the streams that are terminals. */
    private static final String PROPERTY = "outcrop.terminals";
    /** System property with the number of characters in a line. */
    private static final String COLUMNS = "outcrop.columns";
    private static final int USUAL = 80;
    private static final int NARROWEST = 20;

    private Terminal() {
    }

    /** Tells whether the standard output is a terminal. */
    public static boolean isOutput() {
        return is("out");
    }

    /** Tells whether the standard error is a terminal. */
    public static boolean isError() {
        return is("err");
    }

    /**
     * Adds a style in picocli's notation, such as {@code bold,red}, if the standard output is a terminal and the environment does not ask
     * for plain text.
     */
    public static String styled(String style, String text) {
        return isOutput() && System.getenv("NO_COLOR") == null && !"dumb".equals(System.getenv("TERM"))
                ? CommandLine.Help.Ansi.ON.string("@|" + style + " " + text + "|@")
                : text;
    }

    /** Returns the width of the terminal, as the launcher has set it. */
    static int columns() {
        return Math.max(NARROWEST, Integer.getInteger(COLUMNS, USUAL));
    }

    private static boolean is(String stream) {
        String terminals = System.getProperty(PROPERTY);
        return terminals == null
                ? Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false)
                : terminals.contains(stream);
    }
}
