package dev.outcrop.benchmarks.harness;

import java.util.List;

/**
 * One form of a task, which takes turns with others in the same process.
 *
 * @param name   library and form, the name of the figure
 * @param work   the task, for each thread that does it at the same time
 * @param around the work before and after each turn
 */
public record Side(String name, List<Work> work, Around around) {
    private static final String OURS = "outcrop ";
    private static final String LIMIT = "C ";

    /** Creates a side with nothing to do before and after a turn. */
    public Side(String name, List<Work> work) {
        this(name, work, Around.NOTHING);
    }

    /** Creates a side of one thread by Outcrop. */
    public static Side ours(String form, Work work) {
        return new Side(oursName(form), List.of(work));
    }

    /** Creates a side of one thread by rocksdbjni. */
    public static Side peer(String form, Work work) {
        return new Side(peerName(form), List.of(work));
    }

    /** Returns whether the side needs a long warm-up for the JIT compiler; false for C. */
    public boolean isJava() {
        return !name.startsWith(LIMIT);
    }

    public static String oursName(String form) {
        return OURS + form;
    }

    public static String peerName(String form) {
        return Suite.ROCKSDBJNI + ' ' + form;
    }

    public static String limitName(String function) {
        return LIMIT + function;
    }

    /** One turn of a side: as many operations as the workload says. */
    @FunctionalInterface
    public interface Work {
        /**
         * Runs the operations of the turn. The seed decides random keys: the same seed means the same keys for all sides. Returns a
         * checksum of the values that were read, or the number of records written: the same for all sides, and not 0.
         */
        long run(long seed) throws Exception;
    }

    /** Work of a side before and after each turn, which is not measured; none by default. */
    public interface Around {
        Around NOTHING = new Around() {
        };

        default void open() throws Exception {
        }

        default void close() throws Exception {
        }
    }
}
