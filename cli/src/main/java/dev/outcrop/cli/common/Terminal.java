package dev.outcrop.cli.common;

import java.io.Console;
import java.util.Optional;
import picocli.CommandLine;

/** Which standard streams are terminals. The launcher knows each; without it only the console as a whole is known. */
public final class Terminal {
    /** System property with the names of those that are. */
    private static final String PROPERTY = "outcrop.terminals";
    /** System property with the number of characters in a line. */
    private static final String COLUMNS = "outcrop.columns";
    private static final int USUAL = 80;
    private static final int NARROWEST = 20;

    private Terminal() {
    }

    /**
     * Whether a person sees the standard output.
     *
     * @return whether it is a terminal
     */
    public static boolean isOutput() {
        return is("out");
    }

    /**
     * Whether a person sees the standard error.
     *
     * @return whether it is a terminal
     */
    public static boolean isError() {
        return is("err");
    }

    /**
     * Text that stands out where a person sees the standard output, unless the environment asks for none of that.
     *
     * @param style such as {@code bold,red}, in the words of picocli
     * @param text  the text
     * @return the text, with a terminal's codes around it or as it is
     */
    public static String styled(String style, String text) {
        return isOutput() && System.getenv("NO_COLOR") == null && !"dumb".equals(System.getenv("TERM"))
                ? CommandLine.Help.Ansi.ON.string("@|" + style + " " + text + "|@")
                : text;
    }

    /** The width of the terminal, from the launcher. */
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
