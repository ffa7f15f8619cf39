package dev.outcrop.cli.demo;

import java.io.PrintStream;

/**
 * The lines that the programs of the demo print for it, words separated by one space.
 *
 * <pre>
 * found RECORDS TOTAL             so many records of so many were there before
 * at RECORDS                      so many are done
 * waits                           nothing more is done until kill -9 comes
 * differs MESSAGE                 a byte that was read is not the byte that was stored
 * failed MESSAGE                  something else went wrong
 * </pre>
 *
 * The programs of the sides that are compared print more; their base class in the module {@code benchmarks} describes it.
 */
final class Report {
    private final PrintStream out;
    private int step = 1;

    Report(PrintStream out) {
        this.out = out;
    }

    /** A program has found so many records done, and goes on behind them. */
    void found(int records, int total) {
        step = Math.max(1, total / 100);
        say("found " + records + " " + total);
    }

    /** The program waits for kill -9. */
    void waits() {
        say("waits");
    }

    /** So many records are done. */
    void now(int records) {
        say("at " + records);
    }

    /** Called after each record; prints every hundredth part of all. */
    void at(int records) {
        if (records % step == 0) {
            now(records);
        }
    }

    void differs(String message) {
        say("differs " + message);
    }

    void failed(String message) {
        say("failed " + message.strip().replaceAll("\\s*\\R\\s*", " "));
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
