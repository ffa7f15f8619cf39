package dev.outcrop.cli.db;

import java.io.Console;
import java.util.Optional;

/** Which standard streams are terminals. The launcher knows each; without it only the console as a whole is known. */
final class Terminal {
    /** System property with the names of those that are. */
    private static final String PROPERTY = "outcrop.terminals";

    private Terminal() {
    }

    static boolean isOutput() {
        return is("out");
    }

    static boolean isError() {
        return is("err");
    }

    private static boolean is(String stream) {
        String terminals = System.getProperty(PROPERTY);
        return terminals == null
                ? Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false)
                : terminals.contains(stream);
    }
}
