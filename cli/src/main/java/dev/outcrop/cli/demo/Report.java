package dev.outcrop.cli.demo;

import java.io.PrintStream;
import java.util.Locale;

/**
 * What a side says about its work: one line a message on standard output, words separated by one space.
 *
 * <pre>
 * phase PHASE RECORDS BYTES       a phase of this many records (keys and values: BYTES) begins
 * at RECORDS                      so many are done
 * latencies NANOS NANOS ...       the timed part of each operation, one number a record
 * done TIMED ELAPSED              the phase ended: timed nanoseconds, and all that passed since it began
 * found RECORDS TOTAL             so many records of so many were there before
 * waits                           nothing more is done until kill -9 comes
 * differs MESSAGE                 a byte that was read is not the byte that was stored
 * failed MESSAGE                  something else went wrong
 * </pre>
 *
 * The program of the peer writes the same lines.
 */
final class Report {
    /** Says nothing: for warming up. */
    static final Report SILENT = new Report(new PrintStream(PrintStream.nullOutputStream()));

    private final PrintStream out;
    private long began;
    private int step = 1;

    Report(PrintStream out) {
        this.out = out;
    }

    void phase(Phase phase, int records, long bytes) {
        step = Math.max(1, records / 100);
        say("phase " + phase.name().toLowerCase(Locale.ROOT) + " " + records + " " + bytes);
        began = System.nanoTime();
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

    /** Called after each record; speaks at every hundredth of the phase. */
    void at(int records) {
        if (records % step == 0) {
            now(records);
        }
    }

    /** The phase ended: {@code latencies} are those of its operations, {@code extra} is timed work beside them. */
    void done(long[] latencies, long extra) {
        long elapsed = System.nanoTime() - began;
        long timed = extra;
        StringBuilder line = new StringBuilder("latencies");
        for (long nanos : latencies) {
            timed += nanos;
            line.append(' ').append(nanos);
        }
        say(line.toString());
        say("done " + timed + " " + elapsed);
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
