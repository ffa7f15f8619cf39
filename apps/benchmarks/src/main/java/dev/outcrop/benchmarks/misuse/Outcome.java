package dev.outcrop.benchmarks.misuse;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The outcome of a mistake.
 *
 * @param kind the kind
 * @param text details, for people
 */
record Outcome(Kind kind, String text) {
    private static final Pattern SIGNAL = Pattern.compile("#\\s+(SIG[A-Z]+|Internal Error)");

    /** From bad to good. */
    enum Kind {
        /** The JVM ended. */
        KILLED,
        /** Nothing more happened. */
        HUNG,
        /** It went on as if nothing were wrong. */
        RETURNED,
        /** There was an exception. */
        THREW,
        /** The library has no such thing. */
        NOTHING_TO_CLOSE
    }

    /** Returns the outcome of a JVM by its exit code and its output. */
    static Outcome of(int exitCode, String output) {
        if (exitCode != 0) {
            Matcher matcher = SIGNAL.matcher(output);
            return new Outcome(Kind.KILLED, matcher.find() ? matcher.group(1) : "exit code " + exitCode);
        }
        String last = output.strip().lines().reduce((_, next) -> next).orElse("");
        if (last.startsWith(Attempt.THREW)) {
            return new Outcome(Kind.THREW, last);
        }
        return new Outcome(last.equals(Attempt.NOTHING_TO_CLOSE) ? Kind.NOTHING_TO_CLOSE : Kind.RETURNED, last);
    }

    /** Returns whether the JVM has printed that it crashed; its exit code does not tell. */
    static boolean isCrash(String output) {
        return output.contains("A fatal error has been detected");
    }

    static Outcome hung() {
        return new Outcome(Kind.HUNG, "hung");
    }
}
