package dev.outcrop.benchmarks.harness;

import java.util.List;

/**
 * One form of a task. It takes turns with other forms in the same process.
 *
 * @param name   library and form, which is also the name of the figure
 * @param work   the task of each thread; all threads work at the same time
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

    /** Returns whether the side needs a long warm-up for the JIT compiler. It is false for C. */
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
         * checksum of the values that were read, or the number of written records. The result is the same for all sides, and not 0.
         */
        long run(long seed) throws Exception;
    }

    /** Work of a side before and after each turn, which is not measured. There is none by default. */
    public interface Around {
        Around NOTHING = new Around() {
        };

        default void open() throws Exception {
        }

        default void close() throws Exception {
        }
    }
}
